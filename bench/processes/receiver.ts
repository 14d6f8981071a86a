import type { Server, Socket } from 'node:net'
import { sharedNow } from '../harness/clock.ts'
import { serveRemote } from '../harness/remote.ts'
import { createEndpoint, type Certificate, type Post } from './http-endpoint.ts'

/** How an endpoint answers; `hang` never answers. */
export type Behaviour = { status: number; afterMs?: number } | 'hang'

/** The requests of an endpoint since `expect`. */
export interface Arrivals {
  /** Distinct webhook ids in the order of their first arrival, and the time of it (shared milliseconds). */
  ids: string[]
  at: Float64Array
  /** Webhook ids of repetitions, one entry each. */
  repeated: string[]
  /** Requests whose body has another event id than the header `webhook-id`. */
  mislabelled: number
  /** The most connections that were open at a time. */
  mostConnections: number
}

export type ReceiverMethods = typeof methods

interface Endpoint {
  server: Server
  port: number
  behaviour: Behaviour
  first: Map<string, number>
  repeated: string[]
  mislabelled: number
  connections: Set<Socket>
  mostConnections: number
}

const endpoints: Endpoint[] = []
let prefix = '/'
let inspecting = false
let received = 0

function receive(endpoint: Endpoint, post: Post): void {
  if (post.path.startsWith(prefix)) {
    received++
    if (endpoint.first.has(post.webhookId)) endpoint.repeated.push(post.webhookId)
    else endpoint.first.set(post.webhookId, sharedNow())
    if (inspecting && eventId(post) !== post.webhookId) endpoint.mislabelled++
  }
  const { behaviour } = endpoint
  if (behaviour === 'hang') return
  const { status, afterMs = 0 } = behaviour
  if (afterMs === 0) post.respond(status)
  else setTimeout(() => post.respond(status), afterMs)
}

function eventId({ body }: Post): string {
  return (JSON.parse(body.toString('utf8')) as { id: string }).id
}

async function listenAt(endpoint: Endpoint): Promise<void> {
  const { server, port } = endpoint
  await new Promise<void>((done, failed) => server.once('error', failed).listen(port, '127.0.0.1', 1_024, done))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('an endpoint has no port')
  endpoint.port = address.port
}

function openEndpoint(certificate: Certificate | undefined): Endpoint {
  const endpoint: Endpoint = {
    server: createEndpoint((post) => receive(endpoint, post), certificate),
    port: 0,
    behaviour: { status: 204 },
    first: new Map(),
    repeated: [],
    mislabelled: 0,
    connections: new Set(),
    mostConnections: 0,
  }
  endpoint.server.on('connection', (socket) => {
    const { connections } = endpoint
    connections.add(socket)
    endpoint.mostConnections = Math.max(endpoint.mostConnections, connections.size)
    socket.once('close', () => connections.delete(socket))
  })
  return endpoint
}

function chosen(indices: readonly number[]): Endpoint[] {
  return indices.flatMap((index) => endpoints[index] ?? [])
}

const methods = {
  /** Opens more endpoints, each with its own origin; over TLS with a certificate. Returns their origins. */
  async listen(count: number, certificate?: Certificate): Promise<string[]> {
    const opened = Array.from({ length: count }, () => openEndpoint(certificate))
    endpoints.push(...opened)
    await Promise.all(opened.map(listenAt))
    return opened.map(({ port }) => `${certificate === undefined ? 'http' : 'https'}://127.0.0.1:${port}`)
  },

  /** Forgets earlier requests, and from now on counts only requests to paths below `path`. */
  expect(path: string, options: { inspect: boolean } = { inspect: false }): void {
    prefix = path
    inspecting = options.inspect
    received = 0
    for (const endpoint of endpoints) {
      const mostConnections = endpoint.connections.size
      Object.assign(endpoint, { first: new Map(), repeated: [], mislabelled: 0, mostConnections })
    }
  },

  /** Sets how some endpoints answer. */
  behave(indices: readonly number[], behaviour: Behaviour): void {
    for (const endpoint of chosen(indices)) endpoint.behaviour = behaviour
  },

  /** Closes endpoints: connections to them are refused. */
  async down(indices: readonly number[]): Promise<void> {
    for (const { server, connections } of chosen(indices)) {
      const closed = new Promise((done) => server.close(done))
      for (const socket of connections) socket.destroy()
      await closed
    }
  },

  async up(indices: readonly number[]): Promise<void> {
    await Promise.all(chosen(indices).map(listenAt))
  },

  /** Returns the number of requests, repetitions included. */
  count(): { received: number; now: number } {
    return { received, now: sharedNow() }
  },

  /** Returns the number of distinct deliveries; one event at two endpoints counts twice. */
  distinct(): number {
    return endpoints.reduce((sum, { first }) => sum + first.size, 0)
  },

  arrivals(): Arrivals[] {
    return endpoints.map(({ first, repeated, mislabelled, mostConnections }) => ({
      ids: [...first.keys()],
      at: Float64Array.from(first.values()),
      repeated,
      mislabelled,
      mostConnections,
    }))
  },
}

serveRemote(methods)
