import { internalOperations, type ClientRights, type ServiceName, type SiteAccess } from '@frontdesk/contracts'
import { problem, problemDetails, ProblemError, problemHeaders } from '@frontdesk/problems'
import { contentDigest, openTokenVerifier, type KeyFiles, type VerifiedInternalToken } from '@frontdesk/service/tokens'
import Fastify, { type FastifyReply, type FastifyRequest } from 'fastify'

/** A request that arrived at an upstream with a valid internal token. */
export interface Arrived {
  method: string
  url: string
  headers: FastifyRequest['headers']
  body: string
  caller: VerifiedInternalToken
}

/** Returns the settings with the keys of a service. */
export type KeyFilesOf = (service: ServiceName) => KeyFiles

/** A stand-in for a service: it verifies internal tokens as the services do, and answers with the request that it got. */
export interface Upstream extends AsyncDisposable {
  url: string
  requests: Arrived[]
  /** The rights of clients that the gateway told, oldest first. */
  told: ClientRights[]
  /** Answers with this function from now on; undefined: with the request. */
  answer(by: ((arrived: Arrived, reply: FastifyReply) => unknown) | undefined): void
  /** Closes it; `start` opens it again at the same address. */
  stop(): Promise<void>
  start(): Promise<void>
}

export async function openUpstream(service: ServiceName, keysOf: KeyFilesOf): Promise<Upstream> {
  const verify = openTokenVerifier(service, keysOf(service))
  const requests: Arrived[] = []
  const told: ClientRights[] = []
  let answer: ((arrived: Arrived, reply: FastifyReply) => unknown) | undefined
  let port = 0

  function createApp() {
    const app = Fastify({ forceCloseConnections: true })
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body))
    app.setErrorHandler((error, _request, reply) => {
      const refusal = error instanceof ProblemError ? error : problem('internal_error')
      return reply.code(refusal.status).headers(problemHeaders(refusal)).send(problemDetails(refusal, {}))
    })
    app.all('*', async (request, reply) => {
      const digest = request.raw.headers['content-digest']
      const sent = (request.body as string | undefined) ?? ''
      if (digest !== (sent === '' ? undefined : contentDigest(Buffer.from(sent)))) throw problem('unauthorized')
      // On a copy: it removes headers that are not signed, and tests look for those that should not be sent.
      const caller = await verify({
        method: request.method,
        url: request.raw.url ?? '',
        headers: { ...request.raw.headers },
      })
      const { method, url, headers } = request
      if (url === internalOperations.tellClientRights.path) {
        told.push(JSON.parse(request.body as string) as ClientRights)
        return { paused: 0, resumed: 0 }
      }
      const arrived = { method, url, headers, body: (request.body as string | undefined) ?? '', caller }
      requests.push(arrived)
      return answer === undefined ? { service, ...arrived } : answer(arrived, reply)
    })
    return app
  }

  let app = createApp()
  const listen = async () => {
    const url = await app.listen({ port, host: '127.0.0.1' })
    port = Number(new URL(url).port)
    return url
  }
  const url = await listen()
  return {
    url,
    requests,
    told,
    answer: (by) => void (answer = by),
    stop: () => app.close(),
    async start() {
      app = createApp()
      await listen()
    },
    [Symbol.asyncDispose]: () => app.close(),
  }
}

/** A stand-in for registry: it answers internal operations from `sites` and `keys`. */
export interface RegistryUpstream extends Upstream {
  sites: Map<string, SiteAccess>
  /** The slug of the site of a key, by the key's hash. */
  keys: Map<string, string>
  /** Returns the number of questions about sites and keys. */
  lookups(): number
  /** Sets whether questions about sites and keys get no answer. */
  hang(hangs: boolean): void
}

export async function openRegistryUpstream(keysOf: KeyFilesOf): Promise<RegistryUpstream> {
  const upstream = await openUpstream('registry', keysOf)
  const sites = new Map<string, SiteAccess>()
  const keys = new Map<string, string>()
  let lookups = 0
  let hangs = false
  let other: ((arrived: Arrived, reply: FastifyReply) => unknown) | undefined

  upstream.answer((arrived, reply) => {
    const [, kind, id = ''] = /^\/internal\/(sites|site-keys)\/(\w+)$/.exec(arrived.url) ?? []
    if (kind === undefined) return other === undefined ? { service: 'registry', ...arrived } : other(arrived, reply)
    lookups += 1
    if (hangs) return reply.hijack()
    const site = sites.get(kind === 'sites' ? id : (keys.get(id) ?? ''))
    if (site === undefined) throw problem('site_not_found')
    return site
  })
  return {
    ...upstream,
    sites,
    keys,
    lookups: () => lookups,
    hang: (whether) => void (hangs = whether),
    answer: (by) => void (other = by),
  }
}
