import { randomUUID } from 'node:crypto'
import { operations, scopes, type Operation } from '@frontdesk/contracts'
import type { Case, CaseGroup } from '../case.ts'
import { columnsOf, operationIds, type Column } from '../cells.ts'
import { ensure, isProblem } from '../check.ts'
import { openSite, sharedSite } from '../practice.ts'
import { hasEntity, isClosed, specimenOf } from '../specimens.ts'
import type { TestedSystem } from '../tested-system.ts'

const listing = (column: Column) => operationIds.filter((id) => columnsOf(id).includes(column))
const operationOf = (id: (typeof operationIds)[number]): Operation => operations[id]
const worthless = 'x'.repeat(43)

const unauthorized = listing('Unauthorized').map((id): Case => ({
  title: `${id} with a missing or invalid credential is 401`,
  shows: [`${id} Unauthorized`],
  async run(system) {
    const specimen = specimenOf(id, 'sUnknown0001')
    const credentials: Record<string, string>[] = [
      {},
      { authorization: '' },
      { authorization: 'Bearer' },
      { authorization: 'Bearer ' },
      { authorization: `Bearer ${worthless}` },
      { authorization: 'Bearer a.b.c' },
      { authorization: `Basic ${Buffer.from('demo:demo').toString('base64')}` },
      { authorization: worthless },
      { 'x-site-api-key': worthless },
      { 'x-site-api-key': '' },
      { authorization: `Bearer ${worthless}`, 'x-site-api-key': worthless },
    ]
    for (const headers of credentials) {
      const answer = await system.call(id, { ...specimen, as: 'nobody', headers })
      isProblem(answer, { status: 401, code: 'unauthorized' })
    }
  },
}))

const forbidden = listing('Forbidden').map((id): Case => ({
  title: `${id} needs its own scope: every other scope is 403, and its own alone is enough`,
  shows: [`${id} Forbidden`],
  async run(system) {
    const { scope } = operationOf(id)
    const specimen = specimenOf(id, 'sUnknown0001')
    const others = { client: system.main.id, scopes: scopes.filter((one) => one !== scope) }
    const refused = await system.call(id, { ...specimen, as: others })
    isProblem(refused, { status: 403, code: 'scope_missing' })
    const challenge = refused.headers['www-authenticate'] ?? ''
    ensure(
      challenge.includes('insufficient_scope') && challenge.includes(scope),
      refused,
      'the challenge does not name the scope',
    )
    // A malformed request shows that the scope is enough without an effect.
    const own = await system.call(id, { ...specimen, ...harmless(id), as: { client: system.main.id, scopes: [scope] } })
    ensure(own.status !== 401 && own.status !== 403, own, 'the scope is not enough')
  },
}))

/** Returns changes with which an operation refuses a specimen without an effect. */
function harmless(id: (typeof operationIds)[number]): object {
  return id === 'createSite' ? { body: {} } : {}
}

const readOnly: Case = {
  title: 'A read-only client reads everything that has no secrets, and changes nothing',
  needs: ['read only'],
  async run(system) {
    const { SiteSlug } = await sharedSite(system)
    const as = { client: system.reader?.id ?? '' }
    for (const id of operationIds) {
      const answer = await system.call(id, { ...specimenOf(id, SiteSlug), as })
      const { scope } = operationOf(id)
      if (scope.endsWith(':read')) ensure([200, 404].includes(answer.status), answer, 'it cannot be read')
      else isProblem(answer, { status: 403, code: 'scope_missing' })
    }
  },
}

const notFound = listing('Not Found').map((id): Case => ({
  title: `${id} on a site or an entity that does not exist is 404`,
  shows: [`${id} Not Found`],
  async run(system) {
    const code = 'site_not_found'
    isProblem(await system.call(id, specimenOf(id, 'sUnknown0001')), { status: 404, code })
    isProblem(await system.call(id, specimenOf(id, 'oUnknown0001')), { status: 404, code })
    if (operationOf(id).level === 'management') {
      const { params, ...rest } = specimenOf(id, '')
      const unknown = { ...rest, params: { ...params, SiteIdentifier: `PMS-${randomUUID()}` } }
      isProblem(await system.call(id, unknown), { status: 404, code })
    }
    if (!hasEntity(id)) return
    const { SiteSlug } = await sharedSite(system)
    isProblem(await system.call(id, specimenOf(id, SiteSlug)), { status: 404 })
  },
}))

const foreign = listing('Not Found').map((id): Case => ({
  title: `${id} on a site of a system without access is the same 404 as on an unknown site`,
  shows: [`${id} Not Found`],
  needs: ['several systems'],
  async run(system) {
    const { SiteSlug } = await foreignSite(system)
    const [theirs, nobodys] = await Promise.all(
      [SiteSlug, 'sUnknown0001'].map((slug) => system.call(id, specimenOf(id, slug))),
    )
    for (const answer of [theirs, nobodys]) if (answer) isProblem(answer, { status: 404, code: 'site_not_found' })
    const detailOf = (body: unknown) => (body as { detail?: string }).detail
    if (theirs)
      ensure(detailOf(theirs.body) === detailOf(nobodys?.body), theirs, 'the answer reveals that the site exists')
  },
}))

const foreignSites = new WeakMap<TestedSystem, ReturnType<typeof openSite>>()

/** Returns a site of a practice management system that the main client has no access to. */
export function foreignSite(system: TestedSystem): ReturnType<typeof openSite> {
  const client = system.several
  if (client === undefined) throw new Error('no client with several systems')
  const other = client.practiceManagementSoftware.find((one) => !system.main.practiceManagementSoftware.includes(one))
  const headers = { 'x-practice-management-software': other ?? '' }
  const site = foreignSites.get(system) ?? openSite(system, { as: { client: client.id }, headers })
  foreignSites.set(system, site)
  return site
}

const userErrors = listing('User Error').map((id): Case => ({
  title: `${id} is another 4xx if it cannot be answered in JSON or is not sent in JSON`,
  shows: [`${id} User Error`],
  async run(system) {
    const { body, method, path } = operationOf(id)
    const { SiteSlug } = await sharedSite(system)
    const specimen = specimenOf(id, SiteSlug)
    for (const accept of ['text/html', 'application/xml', 'application/json;q=0']) {
      const answer = await system.call(id, { ...specimen, headers: { accept } })
      isProblem(answer, { status: 406, code: 'not_acceptable' })
    }
    if (body !== undefined) {
      const types = [
        'text/plain',
        'application/x-www-form-urlencoded',
        'multipart/form-data; boundary=x',
        'application/xml',
      ]
      for (const type of types) {
        const answer = await system.call(id, { ...specimen, headers: { 'content-type': type } })
        isProblem(answer, { status: 415, code: 'media_type_unsupported' })
      }
      const large = JSON.stringify({ ...(specimen.body as object), Padding: 'x'.repeat(256 * 1024) })
      isProblem(await system.call(id, { ...specimen, body: large }), { status: 413, code: 'body_too_large' })
    }
    const others = ['PUT', 'TRACE', 'PROPFIND'].filter((other) => other !== method)
    for (const other of others) {
      const authorization = `Bearer ${await system.token(system.main)}`
      const address = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => specimen.params[name] ?? '')
      const answer = await system.ask({ method: other, path: address, headers: { authorization } })
      ensure([405, 404, 501].includes(answer.status), answer, `${other} is not refused`)
      if (other === 'PUT') isProblem(answer, { status: 405, code: 'method_not_allowed' })
    }
  },
}))

const malformedAddress = listing('Malformed Request').map((id): Case => ({
  title: `${id} with a malformed path, query, header or body is 400 with a pointer`,
  shows: [`${id} Malformed Request`],
  async run(system) {
    const { params, query, body, practiceManagementSoftware } = operationOf(id)
    const { SiteSlug } = await sharedSite(system)
    const specimen = specimenOf(id, SiteSlug)
    for (const name of Object.keys(params.properties)) {
      for (const value of malformedParameters[name] ?? ['not-a-uuid', '0', '%00', `${randomUUID()}0`]) {
        const answer = await system.call(id, { ...specimen, params: { ...specimen.params, [name]: value } })
        isProblem(answer, { status: 400, code: 'malformed_request', pointer: `/path/${name}` })
      }
    }
    if (query !== undefined) {
      for (const [name, value] of [
        ['pageSize', '0'],
        ['NotAParameter', '1'],
      ] as const) {
        const answer = await system.call(id, { ...specimen, query: { [name]: value } })
        isProblem(answer, { status: 400, pointer: `/query/${name}` })
      }
    }
    if (practiceManagementSoftware === true) {
      for (const value of [
        'NoSuchSystem',
        'opendental',
        '?',
        `${system.main.practiceManagementSoftware[0]}, Optomate`,
      ]) {
        const headers = { 'x-practice-management-software': value }
        const answer = await system.call(id, { ...specimen, headers })
        isProblem(answer, { status: 400, code: 'practice_management_software_unknown' })
      }
    }
    if (body === undefined) return
    for (const text of ['{', '', 'null', '[]', '"text"', '1', '{"a":1}}', "{'Name':'x'}", '{"a":NaN}']) {
      const answer = await system.call(id, { ...specimen, body: text })
      isProblem(answer, { status: 400 })
    }
    if (!isClosed(id)) return
    const answer = await system.call(id, { ...specimen, body: { ...(specimen.body as object), NotAMember: 1 } })
    isProblem(answer, { status: 400, code: 'malformed_request', pointer: '/NotAMember' })
  },
}))

const malformedParameters: Readonly<Record<string, readonly string[]>> = {
  SiteSlug: ['x', 'sab', 'xabcdef', 's-abcdef', 'sabc def', 'sabcdef\n', 'ſabcdef', '../management', 'sabc\u0000'],
  SiteIdentifier: ['x'.repeat(201), ' a', 'a ', '\n', 'a\u0007', '\u0000'],
  Key: ['primary', 'Tertiary', 'Primary ', '1'],
}

export const refusals: readonly CaseGroup[] = [
  { title: 'refusals: who may call', cases: [...unauthorized, ...forbidden, readOnly] },
  { title: 'refusals: what is addressed', cases: [...notFound, ...foreign] },
  { title: 'refusals: form', cases: [...malformedAddress, ...userErrors] },
]
