import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ascending, mergeRanges, type KeyOrder, type Ranges } from './merge-ranges.ts'

interface Row {
  slug: string
  owner: string
  country: string
}

/** Rows in memory, divided by their owner first and by their country then; counts the rows that are walked. */
function inMemory(
  rows: readonly Row[],
  owners: readonly string[],
  countries: readonly string[],
  order: KeyOrder = ascending,
): Ranges<Partial<Row>, 'owner' | 'country'> & { walks: { level: string; rows: number }[] } {
  const sorted = rows.toSorted((one, other) => order.compare(one.slug, other.slug))
  const walks: { level: string; rows: number }[] = []
  return {
    order,
    walks,
    first: owners.map((owner) => ({ owner })),
    levels: ['owner', 'country'],
    async walk(level, open, last, depth) {
      const walked = open.flatMap(({ range, after }, place) =>
        sorted
          .filter((row) => row.owner === range.owner && (level === 'owner' || row.country === range.country))
          .filter((row) => order.compare(row.slug, after) > 0 && order.compare(row.slug, last) <= 0)
          .slice(0, depth)
          .map(({ slug: key, country }, index) => ({
            range: place,
            key,
            passes: countries.includes(country),
            isLast: index + 1 === depth,
          })),
      )
      walks.push({ level, rows: walked.length })
      return walked.filter((row) => row.passes || row.isLast)
    },
    divide: (range) => countries.map((country) => ({ ...range, country })),
  }
}

const slug = fc.stringMatching(/^s[a-zA-Z0-9]{1,4}$/)
// Most rows have one owner and one country, so that the range is walked long enough to be divided.
const owner = fc.oneof({ weight: 9, arbitrary: fc.constant('oA') }, fc.constantFrom('oB', 'oC', 'oD', 'oE'))
const country = fc.oneof({ weight: 30, arbitrary: fc.constant('GB') }, fc.constantFrom('NZ', 'AU', 'IE'))
const rows = fc.uniqueArray(fc.record({ slug, owner, country }), {
  selector: (row) => row.slug,
  maxLength: 600,
  size: 'max',
})

test('a merged page equals the page of all rows sorted', async () => {
  await fc.assert(
    fc.asyncProperty(
      rows,
      fc.subarray(['oA', 'oB', 'oC', 'oD', 'oE', 'oNone']),
      fc.subarray(['GB', 'NZ', 'AU', 'IE', 'XX']),
      fc.oneof(fc.constant(''), slug),
      fc.integer({ min: 1, max: 60 }),
      async (content, owners, countries, after, wanted) => {
        const all = content
          .filter((row) => owners.includes(row.owner) && countries.includes(row.country))
          .map((row) => row.slug)
          .toSorted()
        const page = await mergeRanges(inMemory(content, owners, countries), after, wanted)
        expect(page).toEqual(all.filter((each) => each > after).slice(0, wanted))
      },
    ),
    { numRuns: 500 },
  )
})

const numbered = (count: number, made: (index: number) => Omit<Row, 'slug'>): Row[] =>
  Array.from({ length: count }, (_, index) => ({ slug: `s${String(index).padStart(5, '0')}`, ...made(index) }))
const slugsOf = (of: readonly Row[]) => of.map((row) => row.slug)

test('a list may go from the last key to the first one', async () => {
  const downwards = { compare: (one: string, other: string) => ascending.compare(other, one), end: '' }
  await fc.assert(
    fc.asyncProperty(
      rows,
      fc.oneof(fc.constant('~'), slug),
      fc.integer({ min: 1, max: 60 }),
      async (content, after, wanted) => {
        const sorted = slugsOf(content).toSorted(downwards.compare)
        const ranges = inMemory(content, ['oA', 'oB', 'oC', 'oD', 'oE'], ['GB', 'NZ', 'AU', 'IE'], downwards)
        expect(await mergeRanges(ranges, after, wanted)).toEqual(sorted.filter((each) => each < after).slice(0, wanted))
      },
    ),
    { numRuns: 200 },
  )
})

test('one range is walked once', async () => {
  const ranges = inMemory(
    numbered(1000, () => ({ owner: 'oA', country: 'GB' })),
    ['oA'],
    ['GB'],
  )
  expect(await mergeRanges(ranges, '', 51)).toHaveLength(51)
  expect(ranges.walks).toEqual([{ level: 'owner', rows: 51 }])
})

test('a long range among many short ones is walked a few times, and not much further than the page', async () => {
  const content = numbered(5300, (index) => ({ owner: index < 5000 ? 'oLong' : `oShort${index}`, country: 'GB' }))
  const ranges = inMemory(content, [...new Set(content.map((row) => row.owner))], ['GB'])
  expect(await mergeRanges(ranges, '', 51)).toEqual(slugsOf(content.slice(0, 51)))
  expect(ranges.walks.length).toBeLessThanOrEqual(4)
  expect(ranges.walks.reduce((sum, walk) => sum + walk.rows, 0)).toBeLessThan(300 * 8 + 4 * 51)
})

test('a long range in which few rows pass is divided, and its parts are walked from the row reached', async () => {
  const content = numbered(20_000, (index) => ({ owner: 'oLong', country: index % 1000 === 999 ? 'NZ' : 'GB' }))
  const ranges = inMemory(content, ['oLong'], ['NZ', 'AU'])
  expect(await mergeRanges(ranges, '', 51)).toEqual(slugsOf(content.filter((row) => row.country === 'NZ')))
  expect(ranges.walks.map((walk) => walk.level)).toEqual(['owner', 'owner', 'country'])
  expect(ranges.walks.reduce((sum, walk) => sum + walk.rows, 0)).toBeLessThan(300)
})

test('without ranges nothing is walked', async () => {
  const ranges = inMemory([], [], ['GB'])
  expect(await mergeRanges(ranges, '', 51)).toEqual([])
  expect(ranges.walks).toEqual([])
})
