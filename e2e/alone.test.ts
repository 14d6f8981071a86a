import { createServer } from 'node:net'
import { PortTakenError, startDevStack } from '@frontdesk/dev-stack'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startSystem, type StartedSystem } from './system/start-system.ts'

let system: StartedSystem

beforeAll(async () => {
  system = await startSystem()
})
afterAll(() => system?.[Symbol.asyncDispose]())

test('Each service starts alone and answers that it is ready, while everything but its database is down', async () => {
  const { devStack } = system
  const services = Object.keys(devStack.dev.services)
  for (const service of services) await devStack.stop(service)
  await devStack.stop('nats')
  for (const service of services) {
    await devStack.start(service)
    const { url } = devStack.dev.services[service] ?? { url: '' }
    const reply = await fetch(`${url}/readyz`)
    expect([service, reply.status]).toEqual([service, 200])
    await devStack.stop(service)
  }
})

test('A part that dies is back within seconds at the same address, and dev.json has its new process', async () => {
  const { devStack } = system
  await devStack.start('registry')
  const before = devStack.dev.services['registry']
  devStack.kill('registry', 'SIGKILL')
  const deadline = Date.now() + 10_000
  while (devStack.dev.services['registry']?.pid === before?.pid && Date.now() < deadline) {
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  expect(devStack.dev.services['registry']?.pid).not.toBe(before?.pid)
  expect(devStack.dev.services['registry']?.url).toBe(before?.url)
})

test('The error for a taken gateway port names the port and its variable', async () => {
  const taken = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => taken.once('listening', resolve))
  const address = taken.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  try {
    const start = startDevStack({ home: `${system.devStack.home}-second`, ports: { gateway: port } })
    await expect(start).rejects.toThrow(PortTakenError)
    await expect(startDevStack({ home: `${system.devStack.home}-second`, ports: { gateway: port } })).rejects.toThrow(
      new RegExp(`${port}.*GATEWAY_PORT|GATEWAY_PORT.*${port}`),
    )
  } finally {
    taken.close()
  }
})
