import { once } from 'node:events'
import { createServer as createHttpServer } from 'node:http'
import { connect, createServer, type AddressInfo, type Server } from 'node:net'
import { Pool, type Dispatcher } from 'undici'
import { serveRemote } from '../harness/remote.ts'

export type BareProxyMethods = typeof methods

const methods = {
  /** Forwards every request with its authorization header to a service. Returns the port. */
  async listen(origin: string): Promise<number> {
    const pool = new Pool(origin, { connections: 256, pipelining: 1 })
    const server = createHttpServer(({ url = '/', headers }, response) => {
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
    return listening(server)
  },

  /** Forwards bytes to a service and back without reading them. Returns the port. */
  async relay(origin: string): Promise<number> {
    const { hostname, port } = new URL(origin)
    const server = createServer({ noDelay: true }, (client) => {
      const service = connect({ host: hostname, port: Number(port), noDelay: true })
      for (const [one, other] of [
        [client, service],
        [service, client],
      ] as const) {
        one.on('data', (bytes) => void other.write(bytes))
        one.on('error', () => other.destroy())
        one.on('close', () => other.destroy())
      }
    })
    return listening(server)
  },
}

async function listening(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

serveRemote(methods)
