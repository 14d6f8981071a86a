import type { CaseGroup } from '../../case.ts'
import { ensure, wellFormedProblem } from '../../check.ts'
import { openSite } from '../../practice.ts'
import { rawRequest, sendRaw } from '../../raw-socket.ts'
import type { TestedSystem } from '../../tested-system.ts'

const chunk = '0\r\n\r\n'
const chunked = 'Transfer-Encoding: chunked'
const post = 'POST /api/v1/management/sites HTTP/1.1'

/** Returns requests with `hidden` in or behind their bodies, where two parsers could differ about the end of the first. */
function ambiguous(authorization: string, hidden: string): string[] {
  const json = [authorization, 'Content-Type: application/json']
  const longer = `Content-Length: ${chunk.length + hidden.length}`
  const short = `Content-Length: ${chunk.length}`
  const framings: readonly string[][] = [
    [short, chunked],
    [chunked, short],
    [longer, chunked],
    [short, longer],
    [`Content-Length: ${chunk.length}, ${chunk.length + hidden.length}`],
    [`Content-Length: +${chunk.length}`],
    [`Content-Length: 0x${chunk.length}`],
    [`Content-Length: ${chunk.length}\u000b`],
    [`Content-Length : ${chunk.length}`],
    [short, 'Transfer-Encoding: xchunked'],
    [short, 'Transfer-Encoding: chunked, identity'],
    [short, 'Transfer-Encoding: identity'],
    [short, 'Transfer-Encoding:\u000bchunked'],
    [short, 'Transfer-Encoding : chunked'],
    [short, 'Transfer-Encoding\u0000: chunked'],
    [short, 'X: y\r\n Transfer-Encoding: chunked'],
    [short, 'Transfer-Encoding:\r\n chunked'],
    [short, chunked, 'Transfer-Encoding: identity'],
    [short, 'X: y\nTransfer-Encoding: chunked'],
  ]
  return framings.map((framing) => rawRequest(post, [...json, ...framing], `${chunk}${hidden}`))
}

/** Returns requests whose chunks two parsers could measure differently. */
function oddChunks(authorization: string, hidden: string): string[] {
  const heads = ['0x0', '-0', '+0', '0 0', 'FFFFFFFFFFFFFFFFF', '00000000000000000000g', '0\n', '1;a=\r\n']
  const headers = [authorization, 'Content-Type: application/json', chunked]
  return heads.map((head) => rawRequest(post, headers, `${head}\r\n\r\n${hidden}`))
}

/** Returns request lines that address something else than an operation of ours, for a careless proxy. */
const lines = (slug: string): readonly string[] => [
  'CONNECT 127.0.0.1:22 HTTP/1.1',
  'CONNECT 169.254.169.254:80 HTTP/1.1',
  'TRACE /api/v1/sites HTTP/1.1',
  `GET http://127.0.0.1/internal/sites/${slug} HTTP/1.1`,
  'GET http://169.254.169.254/latest/meta-data/ HTTP/1.1',
  'GET /api/v1/sites\u0000 HTTP/1.1',
  'GET /api/v1/sites HTTP/1.1 HTTP/1.1',
]

async function isRefusedAlone(system: TestedSystem, bytes: string): Promise<void> {
  const { answers } = await sendRaw(system.baseUrl, Buffer.from(bytes, 'latin1'), { within: 1_000 })
  for (const answer of answers) {
    const shown = `${JSON.stringify(bytes.slice(0, 300))} is not refused`
    ensure(answer.status >= 400 && answer.status < 500, answer, shown)
    wellFormedProblem(answer)
  }
}

export const smuggling: CaseGroup = {
  title: 'attacks: smuggling',
  cases: [
    {
      title: 'A request whose end is ambiguous is refused, and what hides behind it is never served',
      async run(system) {
        const { SiteSlug } = await openSite(system)
        const authorization = `Authorization: Bearer ${await system.token(system.main)}`
        const hidden = rawRequest(`DELETE /api/v1/management/sites/${SiteSlug} HTTP/1.1`, [authorization])
        const requests = [...ambiguous(authorization, hidden), ...oddChunks(authorization, hidden)]
        await Promise.all(requests.map((bytes) => isRefusedAlone(system, bytes)))
        await system.success('getSiteIdentity', { params: { SiteIdentifier: SiteSlug } })
      },
    },
    {
      title: 'The gateway is no proxy: CONNECT, TRACE, absolute addresses and protocol upgrades lead nowhere',
      async run(system) {
        const { SiteSlug } = await openSite(system)
        const authorization = `Authorization: Bearer ${await system.token(system.main)}`
        const refused = lines(SiteSlug).map((line) => isRefusedAlone(system, rawRequest(line, [authorization])))
        const upgrades = ['h2c', 'websocket', 'TLS/1.0'].map(async (to) => {
          const upgrade = ['Connection: Upgrade, HTTP2-Settings', `Upgrade: ${to}`, 'HTTP2-Settings: AAMAAABkAAQAAP__']
          const request = rawRequest('GET /api/v1/sites?pageSize=1 HTTP/1.1', [authorization, ...upgrade])
          const { answers } = await sendRaw(system.baseUrl, request)
          for (const answer of answers) ensure(answer.status !== 101, answer, `it speaks ${to}`)
        })
        await Promise.all([...refused, ...upgrades])
      },
    },
  ],
}
