import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { Pool, type Dispatcher } from 'undici'
import { serveRemote } from '../harness/remote.ts'

export type BareProxyMethods = typeof methods

const methods = {
  /** Passes every request on to a service, its authorization header with it, and does nothing else. Returns the port. */
  async listen(origin: string): Promise<number> {
    const pool = new Pool(origin, { connections: 256, pipelining: 1 })
    const server = createServer(({ url = '/', headers }, response) => {
      const chunks: Buffer[] = []
      const handler: Dispatcher.DispatchHandler = {
        onRequestStart() {},
        onResponseStart(_, status, answered) {
          response.statusCode = status
          response.setHeader('content-type', answered['content-type'] ?? '')
        },
        onResponseData: (_, chunk) => void chunks.push(chunk),
        onResponseEnd: () => void response.end(Buffer.concat(chunks)),
        onResponseError: (_, error) => void response.destroy(error),
      }
      const { authorization = '' } = headers
      pool.dispatch({ path: url, method: 'GET', headers: { authorization } }, handler)
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    return (server.address() as AddressInfo).port
  },
}

serveRemote(methods)
