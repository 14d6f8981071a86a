import { deepStrictEqual as same } from 'node:assert/strict'
import { operations, type Operation } from '@frontdesk/contracts'
import type { CaseGroup } from '../case.ts'
import { operationIds } from '../cells.ts'
import { ensure, isProblem, isSuccess } from '../check.ts'
import { openSite, sharedSite } from '../practice.ts'
import { specimenOf } from '../specimens.ts'

const takesKeys = ({ level, clientsOnly = false }: Operation) => level === 'site' && !clientsOnly
const onSite = operationIds.filter((id) => takesKeys(operations[id]))
const forClients = operationIds.filter((id) => !takesKeys(operations[id]))

export const siteKeys: CaseGroup = {
  title: 'site keys',
  cases: [
    {
      title: 'Both keys of a site open every operation on it, and no operation for clients only',
      async run(system) {
        const { SiteSlug, keys } = await openSite(system)
        for (const siteKey of Object.values(keys)) {
          // The requests are malformed or name unknown entities, so they have no effect.
          for (const id of onSite) {
            const answer = await system.call(id, { ...specimenOf(id, SiteSlug), body: undefined, as: { siteKey } })
            ensure(![401, 403].includes(answer.status), answer, 'the key does not open it')
          }
          for (const id of forClients)
            isProblem(await system.call(id, { ...specimenOf(id, SiteSlug), as: { siteKey } }), { status: 401 })
        }
      },
    },
    {
      title: "Another site is 404 for a site's key, whether it exists or not",
      async run(system) {
        const { keys } = await openSite(system)
        const other = await sharedSite(system)
        for (const id of onSite)
          for (const slug of [other.SiteSlug, 'sUnknown0001']) {
            const call = { ...specimenOf(id, slug), as: { siteKey: keys.PrimaryKey } }
            isProblem(await system.call(id, call), { status: 404, code: 'site_not_found' })
          }
      },
    },
    {
      title: 'A key that is cut, changed or in another case opens nothing',
      async run(system) {
        const { SiteSlug, keys } = await openSite(system)
        const key = keys.PrimaryKey
        const swapped = Array.from(key, (letter) =>
          letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
        )
        for (const siteKey of [
          key.slice(1),
          key.slice(0, -1),
          `${key}x`,
          swapped.join(''),
          `${key}, ${key}`,
          SiteSlug,
        ]) {
          const answer = await system.call('listAccounts', { params: { SiteSlug }, as: { siteKey } })
          isProblem(answer, { status: 401, code: 'unauthorized' })
        }
      },
    },
    {
      title: 'A bearer token takes precedence over a site key, even if the token is invalid',
      async run(system) {
        const { SiteSlug, keys } = await openSite(system)
        const headers = { 'x-site-api-key': keys.PrimaryKey }
        const call = { params: { SiteSlug }, headers }
        isProblem(await system.call('listAccounts', { ...call, as: { token: 'x' } }), { status: 401 })
        const reader = { client: system.main.id, scopes: ['sites:read'] as const }
        isProblem(await system.call('listAccounts', { ...call, as: reader }), { status: 403, code: 'scope_missing' })
        await system.success('listAccounts', call)
      },
    },
    {
      title: 'A key stays valid while other fields of its site change, and is invalid once it is rotated',
      async run(system) {
        const { SiteSlug, keys } = await openSite(system)
        const as = { siteKey: keys.SecondaryKey }
        const opens = async () => (await system.call('listAccounts', { params: { SiteSlug }, as })).status
        const change = { params: { SiteIdentifier: SiteSlug }, body: { Name: 'Renamed', SiteStatus: 'Closed' } }
        await system.success('changeSite', change)
        same(await opens(), 200)
        const rotate = (Key: string) => system.call('rotateSiteKey', { params: { SiteIdentifier: SiteSlug, Key } })
        isSuccess(await rotate('Primary'), 'rotateSiteKey', 200)
        same(await opens(), 200)
        isSuccess(await rotate('Secondary'), 'rotateSiteKey', 200)
        same(await opens(), 401)
      },
    },
    {
      title: 'Keys differ between sites and between rotations',
      async run(system) {
        const sites = [await openSite(system), await openSite(system)]
        const seen = sites.flatMap(({ keys }) => Object.values(keys))
        for (let round = 0; round < 3; round++) {
          const params = { SiteIdentifier: sites[0]?.SiteSlug ?? '', Key: 'Primary' }
          const rotated = await system.success('rotateSiteKey', { params })
          seen.push(String(rotated['PrimaryKey']))
        }
        same(new Set(seen).size, seen.length)
      },
    },
  ],
}
