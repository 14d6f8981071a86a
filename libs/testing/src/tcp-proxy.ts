import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

/**
 * A TCP proxy on loopback in front of servers of this machine: the network between two parts, with its faults. With several targets
 * it stands for a Kubernetes Service: each new connection goes to the next one.
 */
export interface TcpProxy extends AsyncDisposable {
  port: number
  /** Returns an address with the proxy's host and port in place of its own. */
  through(url: string): string
  /** Adds a target of new connections. */
  add(port: number): void
  /** Takes a target away, so that new connections go elsewhere; existing ones stay. */
  remove(port: number): void
  /** Replaces the targets of new connections. A port where nobody listens refuses; 0 is a target that never answers. */
  setTargets(ports: readonly number[]): void
  /**
   * Loses everything on the present connections, as when a node vanishes: the client gets no byte and no end. New connections
   * work. The server behind keeps its side open, unless `endSessions` has it let go of locks and sessions. Returns how many there were.
   */
  blackHole(options?: { endSessions?: boolean }): number
  /** Resets all existing connections. */
  sever(): void
  /** Resets new connections from now on, and existing ones, until it is called with `false`. */
  refuse(refused: boolean): void
  /** How many connections each target got. */
  counts: Map<number, number>
}

/** Opens a proxy on a free port. Without a target it resets each connection. */
export async function openTcpProxy(...ports: number[]): Promise<TcpProxy> {
  let targets = [...ports]
  let turn = 0
  let refused = false
  const counts = new Map<number, number>()
  const open = new Set<[client: Socket, upstream: Socket]>()
  const sockets = new Set<Socket>()
  const keep = (socket: Socket) => {
    sockets.add(socket)
    socket
      .setNoDelay(true)
      .on('error', () => socket.destroy())
      .on('close', () => sockets.delete(socket))
  }

  const server = createServer((client) => {
    keep(client)
    const target = targets[turn++ % targets.length]
    if (refused || target === undefined) return void client.resetAndDestroy()
    counts.set(target, (counts.get(target) ?? 0) + 1)
    if (target === 0) return
    const upstream = connect(target, '127.0.0.1')
    keep(upstream)
    const pair: [Socket, Socket] = [client, upstream]
    open.add(pair)
    const end = () => {
      if (!open.delete(pair)) return
      client.resetAndDestroy()
      upstream.resetAndDestroy()
    }
    upstream.on('error', end)
    client.on('error', end)
    client.pipe(upstream)
    upstream.pipe(client)
    client.on('close', () => {
      open.delete(pair)
      upstream.destroySoon()
    })
    upstream.on('close', () => {
      if (open.has(pair)) client.destroySoon()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo

  function sever(): void {
    for (const [client, upstream] of open) {
      upstream.resetAndDestroy()
      client.resetAndDestroy()
    }
  }
  return {
    port,
    counts,
    through(url) {
      const changed = new URL(url)
      changed.hostname = '127.0.0.1'
      changed.port = String(port)
      return changed.toString()
    },
    add: (target) => void targets.push(target),
    remove(target) {
      const place = targets.indexOf(target)
      if (place !== -1) targets.splice(place, 1)
    },
    setTargets: (next) => void (targets = [...next]),
    blackHole({ endSessions = false } = {}) {
      const lost = [...open]
      open.clear()
      for (const [client, upstream] of lost) {
        client.unpipe(upstream)
        upstream.unpipe(client)
        client.pause()
        if (endSessions) upstream.resetAndDestroy()
        else upstream.pause()
      }
      return lost.length
    },
    sever,
    refuse(now) {
      refused = now
      if (now) sever()
    },
    async [Symbol.asyncDispose]() {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}
