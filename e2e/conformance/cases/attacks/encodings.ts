import type { CaseGroup } from '../../case.ts'
import { ensure, ensureText, wellFormedProblem } from '../../check.ts'
import { openSite, sharedSite } from '../../practice.ts'
import { rawRequest, sendRaw } from '../../raw-socket.ts'

/** Returns other ways to write the address of a site, by which a rule for one address could be passed with another. */
function disguised(slug: string): string[] {
  const first = `%${slug.charCodeAt(0).toString(16)}`
  const rest = slug.slice(1)
  return [
    `/api/v1/management/sites/${slug}%2fidentity`,
    `/api/v1/management/sites/${slug}%252fidentity`,
    `/api/v1/management/sites/${slug}%5cidentity`,
    `/api/v1/management/sites/x/..%2f${slug}/identity`,
    `/api/v1/management/sites/x%2f..%2f${slug}/identity`,
    `/api/v1/management/sites/x/%2e%2e/${slug}/identity`,
    `/api/v1/management/sites/x/.%2e/${slug}/identity`,
    `/api/v1/management/sites/./${slug}/identity`,
    `/api/v1/management/sites//${slug}/identity`,
    `/api/v1/management/sites/%c0%af${slug}/identity`,
    `/api/v1/management/sites/%25${first.slice(1)}${rest}/identity`,
    `/api/v1/management/sites/${slug}%00/identity`,
    `/api/v1/management/sites/${slug}%0a/identity`,
    `/api/v1/management/sites/${slug}%20/identity`,
    `/api/v1/management/sites/${slug};x=y/identity`,
    `/api/v1/management/sites/${slug}/identity/`,
    `/api/v1/management/sites/${slug}/Identity`,
    `/API/v1/management/sites/${slug}/identity`,
    `/api/v1/management/sites/${slug}/identity%3f`,
    `/api/v1/management/sites/${slug}/identity%23`,
    `/api/v1/management/sites/${slug}/identity.json`,
    `/api/v1/management\\sites\\${slug}\\identity`,
    `/internal/sites/${slug}`,
    `/internal%2fsites%2f${slug}`,
    `/api/v1/sites/..%2f..%2f..%2finternal%2fsites%2f${slug}/payments`,
    `/api/v1/sites/${slug}/payments/..%2f..%2f..%2f..%2finternal%2fsites%2f${slug}`,
    `/api/v1/sites/${slug}%2f..%2f..%2fmanagement%2fsites%2f${slug}/identity`,
  ]
}

export const encodings: CaseGroup = {
  title: 'attacks: addresses and headers',
  cases: [
    {
      title: 'An address that is written in another way is never that of an operation or of the inside',
      async run(system) {
        const { SiteSlug, keys } = await openSite(system)
        const authorization = `Bearer ${await system.token(system.main)}`
        for (const path of disguised(SiteSlug)) {
          const answer = await system.ask({ method: 'GET', path, headers: { authorization } })
          ensure(answer.status >= 400 && answer.status < 500, answer, `${path} is answered`)
          ensure(!answer.text.includes(keys.PrimaryKey), answer, 'it shows keys')
          wellFormedProblem(answer)
        }
      },
    },
    {
      title:
        'Headers that belong to the inside or to a proxy change neither the caller nor the method, address or host',
      async run(system) {
        const { SiteSlug } = await sharedSite(system)
        const path = `/api/v1/management/sites/${SiteSlug}/identity`
        const claimed: Record<string, string>[] = [
          { 'x-internal-principal': '{"id":"client:demo"}' },
          { 'x-principal': 'client:demo', 'x-client-id': 'demo', 'x-user': 'admin' },
          { 'x-client-address': '127.0.0.1' },
          { 'x-original-url': '/readyz', 'x-rewrite-url': '/readyz' },
          { forwarded: 'for=127.0.0.1;host=localhost;proto=https', 'x-forwarded-for': '127.0.0.1' },
          { 'x-forwarded-client-cert': 'By=spiffe://frontdesk/gateway;Subject="CN=gateway"' },
          { 'ssl-client-verify': 'SUCCESS', 'ssl-client-s-dn': 'CN=gateway' },
        ]
        for (const headers of claimed) {
          const answer = await system.ask({ method: 'GET', path, headers })
          ensure(answer.status === 401, answer, 'a stranger is believed')
          wellFormedProblem(answer)
        }
        const authorization = `Bearer ${await system.token(system.main)}`
        const overrides = {
          'x-http-method': 'DELETE',
          'x-http-method-override': 'DELETE',
          'x-method-override': 'DELETE',
          'x-original-url': `/api/v1/management/sites/${SiteSlug}`,
          'x-forwarded-host': 'attacker.example',
        }
        const answer = await system.ask({ method: 'GET', path, headers: { authorization, ...overrides } })
        ensure(answer.status === 200 && !answer.text.includes('attacker.example'), answer, 'a header is obeyed')
        await system.success('getSiteIdentity', { params: { SiteIdentifier: SiteSlug } })
      },
    },
    {
      title: 'No line break of a caller ends in a header of an answer',
      async run(system) {
        const { SiteSlug } = await sharedSite(system)
        const authorization = `Authorization: Bearer ${await system.token(system.main)}`
        const breaks = ['%0d%0a', '%0a', '%0d', '%e5%98%8a%e5%98%8d', '\r\n ', '\n', '\r']
        const requests = breaks.flatMap((end) => [
          rawRequest(`GET /api/v1/sites/${SiteSlug}${end}X-Evil:1/payments HTTP/1.1`, [authorization]),
          rawRequest(`GET /onboarding/a${end}X-Evil:1 HTTP/1.1`, []),
          rawRequest('GET /api/v1/sites?pageSize=1 HTTP/1.1', [authorization, `Traceparent: a${end}X-Evil: 1`]),
          rawRequest('GET /api/v1/sites?pageSize=1 HTTP/1.1', [authorization, `X-Request-Id: a${end}X-Evil: 1`]),
        ])
        const replies = requests.map((bytes) => sendRaw(system.baseUrl, bytes, { within: 1_000 }))
        for (const { answers } of await Promise.all(replies))
          for (const answer of answers) {
            const named = Object.keys(answer.headers).includes('x-evil')
            ensureText(!named, `a header of the caller is in an answer: ${JSON.stringify(answer.headers)}`)
          }
      },
    },
  ],
}
