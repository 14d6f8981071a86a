import type { Socket } from 'node:net'
import { Pool } from 'undici'

/** Connections through an egress proxy. */
export interface Tunnels extends AsyncDisposable {
  /** Returns a connection to an address, made by the proxy (CONNECT, RFC 9110 9.3.6). Rejects if the proxy refuses it. */
  open(address: string, port: number, timeoutMs: number): Promise<Socket>
}

/** Opens the tunnels of a proxy, `http://` or `https://`; user and password of its address go with each CONNECT. */
export function openTunnels(proxyUrl: string): Tunnels {
  const { origin, username, password } = new URL(proxyUrl)
  const credentials = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString('base64')
  const authorization = username === '' ? {} : { 'proxy-authorization': `Basic ${credentials}` }
  const proxy = new Pool(origin, { allowH2: false })

  return {
    async open(address, port, timeoutMs) {
      const path = `${address.includes(':') ? `[${address}]` : address}:${port}`
      const headers = { host: path, ...authorization }
      const { statusCode, socket } = await proxy.connect({ path, headers, signal: AbortSignal.timeout(timeoutMs) })
      if (statusCode >= 200 && statusCode < 300) return socket as Socket
      socket.on('error', () => {}).destroy()
      throw new Error(`the egress proxy answered ${statusCode} to CONNECT`)
    },
    [Symbol.asyncDispose]: () => proxy.destroy(),
  }
}
