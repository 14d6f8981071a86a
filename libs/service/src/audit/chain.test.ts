import { expect, test } from 'vitest'
import { checkChain, linkHash, origin, type SealedEntry, type StoredEntry } from './chain.ts'

const entry = (number: number, more: Partial<StoredEntry> = {}): StoredEntry => ({
  id: `00000000-0000-7000-8000-00000000000${number}`,
  recordedAt: new Date(1_000 * number),
  principal: 'client:test',
  siteKeyId: null,
  clientAddress: '192.0.2.7',
  siteSlug: 'sAbc123',
  organisationSlug: 'oAbc123',
  operation: 'createSite',
  outcome: 'Succeeded',
  code: null,
  targets: ['site:sAbc123'],
  requestId: null,
  traceId: null,
  ...more,
})

function sealed(entries: readonly StoredEntry[]): SealedEntry[] {
  let last = origin
  return entries.map((one) => {
    last = { position: last.position + 1n, hash: linkHash(last.hash, one) }
    return { ...one, ...last }
  })
}

const chain = sealed([1, 2, 3, 4].map((number) => entry(number)))
const head = chain[3] ?? origin

function faultsOf(entries: readonly SealedEntry[], from = origin): string[] {
  const check = checkChain(from)
  return [...entries.flatMap((one) => check.next(one)), ...check.end(head)]
}

test('a whole chain has no fault, also from the place on where older entries were deleted', () => {
  expect(faultsOf(chain)).toEqual([])
  expect(faultsOf(chain.slice(2), chain[1])).toEqual([])
})

test.for([
  ['principal', { principal: 'client:other' }],
  ['time', { recordedAt: new Date(9_000) }],
  ['key of the site', { siteKeyId: 'key-1' }],
  ['address', { clientAddress: null }],
  ['site', { siteSlug: 'sOther1' }],
  ['organisation', { organisationSlug: null }],
  ['operation', { operation: 'deleteSite' }],
  ['outcome', { outcome: 'Refused' }],
  ['code', { code: 'forbidden' }],
  ['targets', { targets: ['site:sAbc123', 'key:Primary'] }],
  ['request', { requestId: 'r1' }],
  ['trace', { traceId: 't1' }],
  ['id', { id: '00000000-0000-7000-8000-000000000009' }],
] as const)('a changed %s shows', ([, change]) => {
  const changed = chain.map((one) =>
    one.position === 2n ? { ...one, ...change, targets: [...((change as StoredEntry).targets ?? one.targets)] } : one,
  )
  expect(faultsOf(changed)).toEqual([`entry 2 (${changed[1]?.id}) is not what was sealed`])
})

test('entries that were removed, exchanged or added show', () => {
  expect(faultsOf(chain.filter(({ position }) => position !== 2n))).toEqual(['entry 2 is missing'])
  expect(faultsOf(chain.slice(2))).toEqual(['entries 1 to 2 are missing'])
  expect(faultsOf(chain.slice(0, 1))).toEqual(['entries 2 to 4 are missing'])
  const [first, second, third] = chain
  if (first === undefined || second === undefined || third === undefined) throw new Error('the chain is too short')
  const exchanged = [first, { ...third, position: 2n }, { ...second, position: 3n }]
  expect(faultsOf(exchanged)).toHaveLength(3)
  const added = { ...entry(5), position: 5n, hash: linkHash(head.hash, entry(5)) }
  expect(faultsOf([...chain, added])).toEqual(['the chain does not end where its head is, at entry 4'])
})

test('a chain that was made anew after a change shows by its end', () => {
  const anew = sealed([entry(1), entry(2, { principal: 'client:other' }), entry(3), entry(4)])
  expect(faultsOf(anew)).toEqual(['the chain does not end where its head is, at entry 4'])
})
