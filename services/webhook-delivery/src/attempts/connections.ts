import { Client, Pool, type buildConnector, type Dispatcher } from 'undici'

type Connector = buildConnector.connector

// Most receivers keep a connection for longer than this; the others say so, and are believed up to five minutes.
const keepAliveMs = 60_000
const longestKeepAliveMs = 5 * 60_000
// With its buffers a connection takes 20 to 50 KiB.
const mostConnections = 4_096

/** One HTTP client for each origin (scheme, host, port) that deliveries go to. */
export interface Connections {
  /** The client of an origin. Each call is followed by `release`. */
  use(origin: string): Dispatcher
  release(origin: string): void
  /** A client with a connection of its own, which nobody has used. The caller closes it. */
  openFresh(origin: string): Client
  /** Connections that are open. */
  count(): number
  destroy(): Promise<void>
}

interface Origin {
  pool: Pool
  requests: number
  sockets: number
}

/**
 * Opens the HTTP clients of deliveries: HTTP/1.1 with keep-alive, no redirects. Connections are not capped by origin: each
 * endpoint has its own cap, and one that hangs must not take the connections of its neighbours. Together they are: beyond
 * the cap the origins that have been idle for longest lose theirs.
 */
export function openConnections(
  connect: Connector,
  { maxHeaderSize, most = mostConnections }: { maxHeaderSize: number; most?: number },
): Connections {
  // In the order of their last use.
  const origins = new Map<string, Origin>()
  const closing = new Set<Promise<void>>()
  let sockets = 0

  const options = {
    allowH2: false,
    pipelining: 1,
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: keepAliveMs,
    keepAliveMaxTimeout: longestKeepAliveMs,
    keepAliveTimeoutThreshold: 1_000,
    maxHeaderSize,
  }

  /** Forgets an idle origin, and closes its connections. */
  function forget(name: string, { pool }: Origin): void {
    origins.delete(name)
    const closed = pool.close().then(
      () => void closing.delete(closed),
      () => void closing.delete(closed),
    )
    closing.add(closed)
  }

  function makeRoom(): void {
    if (sockets <= most) return
    let excess = sockets - most
    for (const [name, origin] of origins) {
      if (excess <= 0) break
      if (origin.requests > 0) continue
      excess -= origin.sockets
      forget(name, origin)
    }
  }

  function open(name: string): Origin {
    const counted: Connector = (target, callback) =>
      connect(target, (...[error, socket]: Parameters<typeof callback>) => {
        // undici passes an error alone, without null.
        if (!socket) return void callback(error, null)
        sockets++
        origin.sockets++
        // Before the client's own listener, which only learns that the connection is gone.
        socket.on('error', (cause: Error) => void Object.assign(cause, { bytesRead: socket.bytesRead }))
        socket.once('close', () => {
          sockets--
          if (--origin.sockets === 0 && origin.requests === 0 && origins.get(name) === origin) forget(name, origin)
        })
        callback(null, socket)
        makeRoom()
      })
    const origin: Origin = { pool: new Pool(name, { ...options, connect: counted }), requests: 0, sockets: 0 }
    return origin
  }

  return {
    use(name) {
      const origin = origins.get(name) ?? open(name)
      origin.requests++
      origins.set(name, origin)
      return origin.pool
    },
    release(name) {
      const origin = origins.get(name)
      if (origin === undefined || --origin.requests > 0) return
      if (origin.sockets === 0) return forget(name, origin)
      origins.delete(name)
      origins.set(name, origin)
    },
    openFresh: (name) => new Client(name, { ...options, connect }),
    count: () => sockets,
    async destroy() {
      const pools = [...origins.values()].map(({ pool }) => pool)
      origins.clear()
      await Promise.all([...pools.map((pool) => pool.destroy()), ...closing])
    },
  }
}

/** Whether an error means that a connection was closed by the receiver after it had served an earlier request. */
export function wasClosedWhileIdle(error: Error): boolean {
  const code = 'code' in error ? error.code : undefined
  if (code !== 'UND_ERR_SOCKET' && code !== 'ECONNRESET' && code !== 'EPIPE') return false
  const socket = 'socket' in error ? (error.socket as { bytesRead?: number } | undefined) : undefined
  const bytesRead = socket?.bytesRead ?? ('bytesRead' in error ? error.bytesRead : undefined)
  return typeof bytesRead === 'number' && bytesRead > 0
}
