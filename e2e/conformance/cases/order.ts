import { operations, scopes, type Operation } from '@frontdesk/contracts'
import type { CaseGroup } from '../case.ts'
import { ensure, isProblem } from '../check.ts'
import { endpoints, type EndpointId } from '../interface-document.ts'
import { openSite, sharedSite, uniqueName } from '../practice.ts'
import { specimenOf } from '../specimens.ts'

/** The order of checks: 401, 429, 404 route, 403 scope or system, 404 site, 400, idempotency, 422 (docs/interface-decisions.md). */
export const order: CaseGroup = {
  title: 'the order of checks',
  cases: [
    {
      title: 'The operations table lists for each endpoint the error categories of the interface, and no others',
      async run() {
        for (const id of Object.keys(endpoints) as EndpointId[]) {
          const listed = (operations[id] as Operation).errors.toSorted()
          const wanted = [...endpoints[id].errors].toSorted()
          if (listed.join() !== wanted.join()) throw new Error(`${id} lists ${listed.join(', ')}`)
        }
      },
    },
    {
      title: 'The credential is checked (401) before the address (404 or 405)',
      async run(system) {
        const unknown = { method: 'GET', path: '/api/v1/nothing-here', headers: {} }
        isProblem(await system.ask(unknown), { status: 401, code: 'unauthorized' })
        isProblem(await system.ask({ ...unknown, method: 'PUT', path: '/api/v1/sites' }), { status: 401 })
        const authorization = `Bearer ${await system.token(system.main)}`
        for (const path of ['/api/v1/nothing-here', '/api', '/api/v2/sites', '/api/v1/Sites', '/api/v1/sites/'])
          isProblem(await system.ask({ method: 'GET', path, headers: { authorization } }), {
            status: 404,
            code: 'route_not_found',
          })
        const put = await system.ask({ method: 'PUT', path: '/api/v1/sites', headers: { authorization } })
        isProblem(put, { status: 405, code: 'method_not_allowed' })
        ensure(/\bGET\b/.test(put.headers['allow'] ?? ''), put, 'Allow does not name GET')
      },
    },
    {
      title: 'A missing scope (403) comes before an unknown site (404), and that before a malformed body (400)',
      async run(system) {
        const { params } = specimenOf('createPayment', 'sUnknown0001')
        const without = { client: system.main.id, scopes: scopes.filter((scope) => scope !== 'payments:write') }
        isProblem(await system.call('createPayment', { params, body: '{', as: without }), { status: 403 })
        const malformed = await system.call('createPayment', { params, body: '{' })
        isProblem(malformed, { status: 404, code: 'site_not_found' })
        const site = await sharedSite(system)
        const known = await system.call('createPayment', { params: { SiteSlug: site.SiteSlug }, body: '{' })
        isProblem(known, { status: 400, code: 'malformed_json' })
      },
    },
    {
      title: 'A system without access (403) comes before an unknown site (404) and a malformed body (400)',
      async run(system) {
        const headers = { 'x-practice-management-software': 'Dentrix' }
        const params = { SiteIdentifier: 'sUnknown0001' }
        const expected = { status: 403, code: 'practice_management_software_forbidden' } as const
        isProblem(await system.call('deleteSite', { params, headers }), expected)
        for (const body of [{}, '{']) isProblem(await system.call('createSite', { body, headers }), expected)
        isProblem(await system.call('listSites', { query: { pageSize: 0 }, headers }), expected)
      },
    },
    {
      title: 'An unknown site (404) comes before a malformed change (400)',
      async run(system) {
        const params = { SiteIdentifier: 'sUnknown0001' }
        for (const body of [{ NotAMember: 1 }, '{', '']) {
          const answer = await system.call('changeSite', { params, body })
          isProblem(answer, { status: 404, code: 'site_not_found' })
        }
      },
    },
    {
      title: 'A malformed body (400) comes before its Idempotency-Key, and that before the rules (422)',
      async run(system) {
        const name = uniqueName()
        const headers = { 'idempotency-key': name }
        const site = await openSite(system, { body: { Name: name }, headers })
        isProblem(await system.call('createSite', { body: { Name: '' }, headers }), { status: 400, pointer: '/Name' })
        const reused = await system.call('createSite', {
          body: { Name: name, OwningOrganisationSlug: 'oUnknown0001' },
          headers,
        })
        isProblem(reused, { status: 422, code: 'idempotency_key_reused' })
        ensure(site.Name === name, reused, 'the first request was not what it is compared with')
      },
    },
  ],
}
