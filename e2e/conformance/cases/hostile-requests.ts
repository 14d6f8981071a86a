import { randomUUID } from 'node:crypto'
import type { CaseGroup } from '../case.ts'
import { ensure, isProblem, isSuccess, wellFormedProblem } from '../check.ts'
import type { Answer } from '../exchange.ts'
import { openSite, sharedSite } from '../practice.ts'
import { rawRequest, sendRaw } from '../raw-socket.ts'
import type { TestedSystem } from '../tested-system.ts'

const bearer = async (system: TestedSystem) => ({ authorization: `Bearer ${await system.token(system.main)}` })
const get = async (system: TestedSystem, path: string, headers: Record<string, string | string[]> = {}) =>
  system.ask({ method: 'GET', path, headers: { ...(await bearer(system)), ...headers } })

/** Checks a refusal: a status of 4xx with a problem. */
function isRefused(answer: Answer): void {
  ensure(answer.status >= 400 && answer.status < 500, answer, 'not refused')
  wellFormedProblem(answer)
}

export const hostileRequests: CaseGroup = {
  title: 'hostile requests',
  cases: [
    {
      title: 'An address with 250 values in every filter is read, and one of 40 KiB or more is 414',
      async run(system) {
        const values = (letter: string) =>
          Array.from({ length: 250 }, (_, index) => `${letter}${String(index).padStart(11, 'x')}`)
        const query = {
          Sites: values('s'),
          OwningOrganisations: values('o'),
          BillingOrganisations: values('o'),
          Countries: Array.from({ length: 250 }, () => 'GB'),
        }
        await system.success('listSites', { query })
        const filler = (length: number) => `/api/v1/sites?nextPageToken=${'x'.repeat(length)}`
        isProblem(await get(system, filler(8 * 1024)), { status: 400 })
        isProblem(await get(system, filler(40 * 1024)), { status: 414, code: 'uri_too_long' })
        const huge = await sendRaw(system.baseUrl, rawRequest(`GET /${'x'.repeat(200_000)} HTTP/1.1`, []))
        const [answer] = huge.answers
        if (answer !== undefined) isProblem(answer, { status: 414, code: 'uri_too_long' })
      },
    },
    {
      title: 'Headers of 64 KiB are 431, in one header or in many',
      async run(system) {
        const authorization = `Authorization: Bearer ${await system.token(system.main)}`
        const one = [authorization, `X-Long: ${'x'.repeat(64 * 1024)}`]
        const many = [authorization, ...Array.from({ length: 900 }, (_, index) => `X-${index}: ${'x'.repeat(70)}`)]
        for (const headers of [one, many]) {
          const { answers } = await sendRaw(system.baseUrl, rawRequest('GET /api/v1/sites HTTP/1.1', headers))
          const [answer] = answers
          if (answer === undefined) throw new Error('it was closed without an answer')
          isProblem(answer, { status: 431, code: 'headers_too_large' })
        }
      },
    },
    {
      title:
        'Bytes that are not HTTP/1.1 are refused with a problem or the connection ends, and never a stack is shown',
      async run(system) {
        const requests = [
          'GET\r\n\r\n',
          'hello\r\n\r\n',
          '\u0000\u0001\u0002\r\n\r\n',
          'GET /api/v1/sites HTTP/1.1\r\n\r\n',
          'GET /api/v1/sites HTTP/9.9\r\nHost: x\r\n\r\n',
          rawRequest('GET /api/v1/sites HTTP/1.1', ['Bad Header: x']),
          rawRequest('GET /api/v1/sites HTTP/1.1', ['X-A: a\u0000b']),
          rawRequest('GET /api/v1/sites HTTP/1.1', ['X-A: a\r b']),
          rawRequest('GET /api/v1/sites HTTP/1.1', [' folded']),
          rawRequest('POST /api/v1/management/sites HTTP/1.1', ['Content-Length: 1', 'Content-Length: 2'], 'xx'),
          rawRequest('POST /api/v1/management/sites HTTP/1.1', ['Content-Length: -1']),
          rawRequest('POST /api/v1/management/sites HTTP/1.1', ['Content-Length: 1x'], 'x'),
          rawRequest(
            'POST /api/v1/management/sites HTTP/1.1',
            ['Content-Length: 4', 'Transfer-Encoding: chunked'],
            '0\r\n\r\n',
          ),
          rawRequest('POST /api/v1/management/sites HTTP/1.1', ['Transfer-Encoding: chunked'], 'zz\r\n\r\n'),
          rawRequest('POST /api/v1/management/sites HTTP/1.1', ['Transfer-Encoding: gzip'], 'x'),
          rawRequest('NOSUCHMETHOD /api/v1/sites HTTP/1.1', []),
          '\u0016\u0003\u0001\u0000\u00a5\u0001\u0000\u0000\u00a1\u0003\u0003',
          'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
        ]
        for (const bytes of requests) {
          const { answers } = await sendRaw(system.baseUrl, Buffer.from(bytes, 'latin1'), { within: 1_000 })
          for (const answer of answers) {
            ensure(answer.status >= 400 && answer.status < 500, answer, `${JSON.stringify(bytes)} is not refused`)
            wellFormedProblem(answer)
          }
        }
        await system.success('listSites', { query: { pageSize: 1 } })
      },
    },
    {
      title: 'A request hidden in the body of another is not served',
      async run(system) {
        const { SiteSlug } = await openSite(system)
        const authorization = `Authorization: Bearer ${await system.token(system.main)}`
        const hidden = rawRequest(`DELETE /api/v1/management/sites/${SiteSlug} HTTP/1.1`, [authorization])
        const chunk = '0\r\n\r\n'
        const both = [
          authorization,
          'Content-Type: application/json',
          `Content-Length: ${chunk.length}`,
          'Transfer-Encoding: chunked',
        ]
        const requests = [
          rawRequest('POST /api/v1/management/sites HTTP/1.1', both, `${chunk}${hidden}`),
          rawRequest(
            'GET /api/v1/sites HTTP/1.1',
            [authorization, 'Content-Length: 5', `Transfer-Encoding : chunked`],
            `${chunk}${hidden}`,
          ),
          rawRequest(
            'POST /api/v1/management/sites HTTP/1.1',
            [authorization, 'Transfer-Encoding: chunked, identity'],
            `${chunk}${hidden}`,
          ),
        ]
        for (const bytes of requests) {
          const { answers } = await sendRaw(system.baseUrl, bytes, { within: 1_000 })
          for (const answer of answers) ensure(answer.status >= 400, answer, 'it is served')
        }
        const params = { SiteIdentifier: SiteSlug }
        await system.success('getSiteIdentity', { params })
      },
    },
    {
      title: 'A header smuggled in with CRLF has no effect',
      async run(system) {
        const { SiteSlug } = await sharedSite(system)
        const key = randomUUID()
        for (const path of [
          `/api/v1/sites/${SiteSlug}%0d%0aX-Evil:%201/payments`,
          `/api/v1/sites?nextPageToken=a%0d%0aX-Evil:1`,
        ]) {
          const answer = await get(system, path)
          isProblem(answer, { status: 400 })
          ensure(answer.headers['x-evil'] === undefined, answer, 'a header is added')
        }
        const smuggled = [
          `Idempotency-Key: ${key}\r\n\tX-Evil: 1`,
          `Idempotency-Key: ${key}\nX-Evil: 1`,
          `X-Request-Id: a\r\n b`,
        ]
        for (const header of smuggled) {
          const headers = [`Authorization: Bearer ${await system.token(system.main)}`, header]
          const { answers } = await sendRaw(
            system.baseUrl,
            rawRequest('GET /api/v1/sites?pageSize=1 HTTP/1.1', headers),
          )
          for (const answer of answers) ensure(answer.headers['x-evil'] === undefined, answer, 'a header is added')
        }
      },
    },
    {
      title: 'Paths that are encoded twice, climb up or are not UTF-8 are refused',
      async run(system) {
        const { SiteSlug } = await sharedSite(system)
        const paths = [
          `/api/v1/sites/${SiteSlug}/../${SiteSlug}/payments`,
          `/api/v1/sites/..%2f..%2finternal%2fsites%2f${SiteSlug}/payments`,
          `/internal/sites/${SiteSlug}`,
          `/api/v1/../../internal/sites/${SiteSlug}`,
          `//api/v1/sites`,
          `/api//v1/sites`,
          `/api/v1/sites/%zz/payments`,
          `/api/v1/sites/%ff%fe/payments`,
          `/api/v1/sites/%00/payments`,
          `/api/v1/sites/${SiteSlug}%00/payments`,
          `/api/v1/sites/%2573abcdef/payments`,
          `/api/v1/sites/${SiteSlug};a=b/payments`,
          `/api/v1/management/sites/%2e%2e/identity`,
          `/api/v1/management/sites/${encodeURIComponent('a/../b')}/identity`,
          `/api/v1/management/sites/${'%41'.repeat(300)}/identity`,
          `/readyz/../internal`,
          `/metrics`,
          `/.env`,
        ]
        for (const path of paths) isRefused(await get(system, path))
      },
    },
    {
      title: 'Unusual queries are 400 or read as they are meant, and never a server error',
      async run(system) {
        const odd = [
          '?',
          '?&&&',
          '?pageSize',
          '?pageSize=1&',
          '?=1',
          '?%',
          '?%zz=1',
          '?pageSize=%31',
          '?a[b]=1',
          '?__proto__=1',
        ]
        const more = [
          '?constructor=1',
          `?${'Sites=sabcd&'.repeat(251)}`,
          '?nextPageToken=%00',
          '?Sites=%00',
          '?isActive=1',
          '?Countries=%ff',
        ]
        for (const query of [...odd, ...more]) {
          const answer = await get(system, `/api/v1/sites${query}`)
          if (answer.status === 200) isSuccess(answer, 'listSites', 200)
          else isProblem(answer, { status: 400 })
        }
      },
    },
    {
      title: 'Unusual and repeated headers are refused or read as one, and never a server error',
      async run(system) {
        const twice = { 'x-practice-management-software': ['OpenDental', 'OpenDental'] }
        isProblem(await get(system, '/api/v1/sites?pageSize=1', twice), { status: 400 })
        const odd: Record<string, string | string[]>[] = [
          { accept: '' },
          { accept: ',;q=' },
          { accept: '*/*;q=banana' },
          { traceparent: 'x' },
          { traceparent: '00-00000000000000000000000000000000-0000000000000000-01' },
          { traceparent: `00-${'a'.repeat(500)}-b-01` },
          { 'x-request-id': 'ä'.repeat(3) },
          { 'x-forwarded-for': '1.2.3.4, evil' },
          { 'x-forwarded-host': 'evil.example' },
          { 'content-type': 'nonsense' },
          { expect: 'nothing' },
          { 'x-internal-principal': '{"id":"client:admin"}' },
          { 'x-http-method-override': 'DELETE' },
          { 'if-none-match': '*' },
          { range: 'bytes=0-1' },
        ]
        for (const headers of odd) {
          const { expect, ...rest } = headers
          const answer = await get(system, '/api/v1/sites?pageSize=1', rest)
          ensure(answer.status === 200 || (answer.status >= 400 && answer.status < 500), answer, 'an odd status')
          if (answer.status === 200) isSuccess(answer, 'listSites', 200)
          else isRefused(answer)
          if (expect === undefined) continue
          const lines = [`Authorization: Bearer ${await system.token(system.main)}`, `Expect: ${String(expect)}`]
          const raw = await sendRaw(system.baseUrl, rawRequest('GET /api/v1/sites?pageSize=1 HTTP/1.1', lines))
          for (const one of raw.answers) ensure(one.status === 200, one, 'an unknown expectation is refused')
        }
      },
    },
    {
      title: 'Two credentials in one header, or in two headers, are refused',
      async run(system) {
        const token = await system.token(system.main)
        const lines = [`Authorization: Bearer ${token}`, `Authorization: Bearer ${token}x`]
        const { answers } = await sendRaw(
          system.baseUrl,
          rawRequest('GET /api/v1/sites?pageSize=1 HTTP/1.1', lines.toReversed()),
        )
        for (const answer of answers) ensure([400, 401].includes(answer.status), answer, 'the second counts')
        for (const authorization of [`Bearer ${token}, Bearer ${token}`, `Bearer ${token} x`, `Bearer\t${token}x`])
          isProblem(await get(system, '/api/v1/sites', { authorization }), { status: 401 })
        isSuccess(await get(system, '/api/v1/sites?pageSize=1', { authorization: `bearer ${token}` }), 'listSites', 200)
      },
    },
    {
      title: 'HEAD and OPTIONS reveal nothing to strangers, and never fail',
      async run(system) {
        for (const method of ['HEAD', 'OPTIONS']) {
          const answer = await system.ask({ method, path: '/api/v1/sites' })
          ensure([401, 404, 405].includes(answer.status), answer, 'it is answered')
          const known = await system.ask({ method, path: '/api/v1/sites', headers: await bearer(system) })
          ensure(known.status < 500, known, 'a server error')
        }
      },
    },
  ],
}
