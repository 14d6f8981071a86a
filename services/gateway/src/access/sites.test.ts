import type { SiteAccess } from '@frontdesk/contracts'
import { expect, test } from 'vitest'
import { createSites, freshMs, staleMs, unknownMs } from './sites.ts'

const slug = 'sAbc1234567x'
const site: SiteAccess = {
  slug,
  name: 'Practice',
  system: 'OpenDental',
  pmsSpecificId: 'PMS-7',
  owningOrganisation: 'oOwner1234567',
  billingOrganisation: 'oOwner1234567',
  status: 'Operational',
}

/** A cache over answers and a clock that the test sets. */
function cache() {
  const state = { time: 1_000, answer: site as SiteAccess | undefined, away: false, asked: 0, gate: Promise.resolve() }
  const ask = async () => {
    state.asked += 1
    const { answer, away } = state
    await state.gate
    if (away) throw new Error('registry is away')
    return answer === undefined ? undefined : { ...answer }
  }
  return { state, sites: createSites({ askBySlug: ask, askByKeyHash: ask, now: () => state.time }) }
}

/** Holds answers back until the returned function is called. */
function holdBack(state: { gate: Promise<void> }): () => void {
  const { promise, resolve } = Promise.withResolvers<void>()
  state.gate = promise
  return resolve
}

test('a site is asked for once a minute, and is the same object in between', async () => {
  const { state, sites } = cache()
  const first = await sites.bySlug(slug)
  state.time += freshMs - 1
  expect(await sites.bySlug(slug)).toBe(first)
  expect(state.asked).toBe(1)
  state.time += 1
  await sites.bySlug(slug)
  expect(state.asked).toBe(2)
})

test('requests at the same time share one question', async () => {
  const { state, sites } = cache()
  const answers = await Promise.all([sites.bySlug(slug), sites.bySlug(slug), sites.bySlug(slug)])
  expect(new Set(answers).size).toBe(1)
  expect(state.asked).toBe(1)
})

test('an unknown site is asked for again after five seconds', async () => {
  const { state, sites } = cache()
  state.answer = undefined
  expect(await sites.bySlug(slug)).toBeUndefined()
  state.time += unknownMs - 1
  state.answer = site
  expect(await sites.bySlug(slug)).toBeUndefined()
  state.time += 1
  expect(await sites.bySlug(slug)).toMatchObject({ slug })
})

test('a drop by slug or by PMS-specific id forgets the site and its keys at once', async () => {
  const { state, sites } = cache()
  for (const identifier of [slug, 'PMS-7']) {
    await sites.bySlug(slug)
    await sites.byKeyHash('aa')
    const before = state.asked
    sites.drop(identifier)
    await sites.bySlug(slug)
    await sites.byKeyHash('aa')
    expect(state.asked).toBe(before + 2)
  }
})

test('a drop of a slug forgets that it was unknown', async () => {
  const { state, sites } = cache()
  state.answer = undefined
  await sites.bySlug(slug)
  state.answer = site
  sites.drop(slug)
  expect(await sites.bySlug(slug)).toMatchObject({ slug })
})

test('an answer that was on its way when the site was dropped is not believed', async () => {
  for (const find of ['bySlug', 'byKeyHash'] as const) {
    const { state, sites } = cache()
    const release = holdBack(state)
    const before = sites[find](find === 'bySlug' ? slug : 'aa')
    // The old answer is already made; now registry deletes the site.
    state.answer = undefined
    sites.drop(slug)
    const after = sites[find](find === 'bySlug' ? slug : 'aa')
    release()
    expect(await before).toBeUndefined()
    expect(await after).toBeUndefined()
  }
})

test('while registry is away, what is known serves for ten more minutes, and nobody waits for it', async () => {
  const { state, sites } = cache()
  await sites.bySlug(slug)
  state.away = true
  state.time += freshMs
  expect(await sites.bySlug(slug)).toMatchObject({ slug })
  expect(state.asked).toBe(2)
  // Within two seconds of a failure it is not asked at all; after that beside the request.
  expect(await sites.bySlug(slug)).toMatchObject({ slug })
  expect(state.asked).toBe(2)
  state.time += 2_000
  const release = holdBack(state)
  expect(await sites.bySlug(slug)).toMatchObject({ slug })
  expect(state.asked).toBe(3)
  release()
  state.time += staleMs
  await expect(sites.bySlug(slug)).rejects.toThrow('registry is away')
})

test('when registry is back, its answer replaces the stale one', async () => {
  const { state, sites } = cache()
  await sites.bySlug(slug)
  state.away = true
  state.time += freshMs
  await sites.bySlug(slug)
  state.away = false
  state.answer = { ...site, status: 'Suspended' }
  state.time += 2_000
  await sites.bySlug(slug)
  await new Promise((resolve) => setImmediate(resolve))
  expect(await sites.bySlug(slug)).toMatchObject({ status: 'Suspended' })
})

test('a site that was dropped is not served stale', async () => {
  const { state, sites } = cache()
  await sites.bySlug(slug)
  sites.drop(slug)
  state.away = true
  await expect(sites.bySlug(slug)).rejects.toThrow('registry is away')
})

test('after news may have been missed everything is asked again, but still serves while registry is away', async () => {
  const { state, sites } = cache()
  await sites.bySlug(slug)
  sites.recheckAll()
  await sites.bySlug(slug)
  expect(state.asked).toBe(2)
  sites.recheckAll()
  state.away = true
  expect(await sites.bySlug(slug)).toMatchObject({ slug })
})
