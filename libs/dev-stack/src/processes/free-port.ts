import { createServer } from 'node:net'

// Systems take the ports of outgoing connections from above (Linux from 32768, macOS from 49152): such a connection could take
// the port before its server listens.
const lowest = 20_000
const highest = 32_000
const given = new Set<number>()

/** Returns a port on loopback that is free at this moment, and never the same one twice. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = lowest + Math.floor(Math.random() * (highest - lowest))
    if (given.has(port) || !(await isPortFree(port))) continue
    given.add(port)
    return port
  }
}

/** Whether a process could listen on a port of loopback now. */
export async function isPortFree(port: number): Promise<boolean> {
  const server = createServer()
  return await new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}
