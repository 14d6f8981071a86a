import fc from 'fast-check'
import { expect, test } from 'vitest'
import { mergeRanges, type ReadRanges } from './merge.ts'

/** Ranges in memory, which count what is read of them. */
function inMemory(ranges: Record<string, string[]>): { read: ReadRanges; reads: number[] } {
  const reads: number[] = []
  return {
    reads,
    async read(open, last, depth) {
      const heads = open.flatMap(({ key, after }, range) =>
        (ranges[key] ?? [])
          .filter((slug) => slug > after && slug <= last)
          .slice(0, depth)
          .map((slug) => ({ range, slug })),
      )
      reads.push(heads.length)
      return heads
    },
  }
}

const slug = fc.stringMatching(/^s[a-zA-Z0-9]{1,3}$/)
const content = fc
  .tuple(fc.uniqueArray(slug, { maxLength: 200 }), fc.infiniteStream(fc.nat({ max: 9 })))
  .map(
    ([slugs, ranges]) =>
      Object.groupBy(slugs.toSorted(), () => String(ranges.next().value)) as Record<string, string[]>,
  )

test('the merged page is what sorting everything would give', async () => {
  await fc.assert(
    fc.asyncProperty(
      content,
      fc.oneof(fc.constant(''), slug),
      fc.integer({ min: 1, max: 60 }),
      async (ranges, after, wanted) => {
        const keys = [...Object.keys(ranges), 'empty']
        const all = Object.values(ranges).flat().toSorted()
        const page = await mergeRanges(keys, after, wanted, inMemory(ranges).read)
        expect(page).toEqual(all.filter((each) => each > after).slice(0, wanted))
      },
    ),
    { numRuns: 500 },
  )
})

test('one range is read once', async () => {
  const slugs = Array.from({ length: 1000 }, (_, index) => `s${String(index).padStart(4, '0')}`)
  const { read, reads } = inMemory({ one: slugs })
  expect(await mergeRanges(['one'], '', 51, read)).toEqual(slugs.slice(0, 51))
  expect(reads).toEqual([51])
})

test('a long range among many short ones is read a few times, and not much further than the page', async () => {
  const long = Array.from({ length: 5000 }, (_, index) => `s${String(index).padStart(4, '0')}`)
  const short = Array.from(
    { length: 300 },
    (_, index) => [`short${index}`, [`s9${String(index).padStart(3, '0')}x`]] as const,
  )
  const ranges: Record<string, string[]> = { long, ...Object.fromEntries(short) }
  const { read, reads } = inMemory(ranges)
  expect(await mergeRanges(Object.keys(ranges), '', 51, read)).toEqual(long.slice(0, 51))
  expect(reads.length).toBeLessThanOrEqual(5)
  expect(reads.reduce((sum, count) => sum + count)).toBeLessThan(301 + 4 * 51)
})

test('without ranges nothing is read', async () => {
  const { read, reads } = inMemory({})
  expect(await mergeRanges([], '', 51, read)).toEqual([])
  expect(reads).toEqual([])
})
