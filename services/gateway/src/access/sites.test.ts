import type { SiteAccess } from '@frontdesk/contracts'
import { expect, test } from 'vitest'
import { createSites, freshMs, staleMs, unknownMs } from './sites.ts'

const slug = 'sAbc1234567x'
const site: SiteAccess = {
  slug,
  name: 'Practice',
  practiceManagementSystem: 'OpenDental',
  pmsSpecificId: 'PMS-7',
  owningOrganisation: 'oOwner1234567',
  billingOrganisation: 'oOwner1234567',
  status: 'Operational',
}

/** Makes a cache with a clock and answers that the test sets. */
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

/** Delays answers until the returned function is called. */
function delayAnswers(state: { gate: Promise<void> }): () => void {
  const { promise, resolve } = Promise.withResolvers<void>()
  state.gate = promise
  return resolve
}

test('registry is asked about a site once a minute, and the site is the same object in between', async () => {
  const { state, sites } = cache()
  const first = await sites.bySlug(slug)
  state.time += freshMs - 1
  expect(await sites.bySlug(slug)).toBe(first)
  expect(state.asked).toBe(1)
  state.time += 1
  await sites.bySlug(slug)
  expect(state.asked).toBe(2)
})

test('simultaneous requests share one question', async () => {
  const { state, sites } = cache()
  const answers = await Promise.all([sites.bySlug(slug), sites.bySlug(slug), sites.bySlug(slug)])
  expect(new Set(answers).size).toBe(1)
  expect(state.asked).toBe(1)
})

test('registry is asked again about an unknown site after five seconds', async () => {
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

test('a drop of an unknown slug makes the cache ask again', async () => {
  const { state, sites } = cache()
  state.answer = undefined
  await sites.bySlug(slug)
  state.answer = site
  sites.drop(slug)
  expect(await sites.bySlug(slug)).toMatchObject({ slug })
})

test('an answer that was on its way when the site was dropped is not used', async () => {
  for (const find of ['bySlug', 'byKeyHash'] as const) {
    const { state, sites } = cache()
    const release = delayAnswers(state)
    const before = sites[find](find === 'bySlug' ? slug : 'aa')
    // Registry has made the old answer; then it deletes the site.
    state.answer = undefined
    sites.drop(slug)
    const after = sites[find](find === 'bySlug' ? slug : 'aa')
    release()
    expect(await before).toBeUndefined()
    expect(await after).toBeUndefined()
  }
})

test('while registry is away, known sites are served for ten more minutes without a wait', async () => {
  const { state, sites } = cache()
  await sites.bySlug(slug)
  state.away = true
  state.time += freshMs
  expect(await sites.bySlug(slug)).toMatchObject({ slug })
  expect(state.asked).toBe(2)
  // For two seconds after a failure the cache does not ask, then it asks in the background.
  expect(await sites.bySlug(slug)).toMatchObject({ slug })
  expect(state.asked).toBe(2)
  state.time += 2_000
  const release = delayAnswers(state)
  expect(await sites.bySlug(slug)).toMatchObject({ slug })
  expect(state.asked).toBe(3)
  release()
  state.time += staleMs
  await expect(sites.bySlug(slug)).rejects.toThrow('registry is away')
})

test('the answer of registry replaces the stale one when registry is back', async () => {
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

test('recheckAll makes the cache ask again about every site, and known sites still serve while registry is away', async () => {
  const { state, sites } = cache()
  await sites.bySlug(slug)
  sites.recheckAll()
  await sites.bySlug(slug)
  expect(state.asked).toBe(2)
  sites.recheckAll()
  state.away = true
  expect(await sites.bySlug(slug)).toMatchObject({ slug })
})
