import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { serviceFolder, serviceNames } from '@frontdesk/database/service-databases'
import { openCredentials, serviceEnvironment } from '@frontdesk/dev-stack/services'
import { throwAwayFolder } from '@frontdesk/testing/throw-away-folder'
import { expect, test } from 'vitest'

/** Settings of `npm start` that a service must name when it refuses them. */
const refused: Record<string, readonly string[]> = {
  gateway: ['PUBLIC_URL'],
  registry: ['PUBLIC_URL', 'REGISTRY_DATABASE_URL'],
  accounts: ['PUBLIC_URL', 'ACCOUNTS_DATABASE_URL', 'SANDBOX_PROVIDER_URL', 'RETURN_URL_ALLOW_HTTP'],
  payments: ['PUBLIC_URL', 'PAYMENTS_DATABASE_URL', 'SANDBOX_PROVIDER_URL'],
  'webhook-delivery': ['DELIVERY_ALLOW_LOOPBACK', 'DELIVERY_ALLOW_HTTP', 'PUBLIC_URL'],
  'sandbox-provider': ['SANDBOX_PROVIDER_DATABASE_URL', 'PUBLIC_URL'],
}

/** Runs a service with what `npm start` gives it, but without its mode, until it exits. Returns what it printed. */
async function runWithoutMode(service: string, home: string, more: Record<string, string> = {}): Promise<string> {
  const databaseUrl = `postgresql://postgres@127.0.0.1:1/${service.replaceAll('-', '_')}`
  const addresses = {
    ports: Object.fromEntries([...serviceNames(), 'gateway-metrics'].map((name) => [name, 0])),
    natsUrl: 'nats://127.0.0.1:1',
    databaseUrls: Object.fromEntries(serviceNames().map((name) => [name, databaseUrl])),
  }
  const { FRONTDESK_MODE: _mode, ...env } = serviceEnvironment(
    service,
    addresses,
    openCredentials(home, serviceNames()),
  )
  const child = spawn(process.execPath, [join(serviceFolder(service), 'src/main.ts')], {
    env: { NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'], ...env, ...more },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  // One that starts after all must not go on. A busy machine takes many seconds to load six services at once.
  const timer = setTimeout(() => child.kill('SIGKILL'), 100_000)
  const [printed, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')])
  clearTimeout(timer)
  expect(code).toBe(1)
  return printed
}

const timeout = 120_000

test(
  'without its mode no service starts with the settings of npm start, and each says which and why',
  { timeout },
  async () => {
    await using folder = await throwAwayFolder()
    openCredentials(folder.path, serviceNames())
    const runs = serviceNames().map(async (service) => [service, await runWithoutMode(service, folder.path)] as const)
    for (const [service, printed] of await Promise.all(runs)) {
      for (const setting of refused[service] ?? [])
        expect(printed, service).toContain(`${setting} needs FRONTDESK_MODE=development: `)
    }
  },
)

test('without its mode a gateway refuses the ready-made clients', { timeout }, async () => {
  await using folder = await throwAwayFolder()
  const printed = await runWithoutMode('gateway', folder.path, { PUBLIC_URL: 'https://api.example' })
  expect(printed).toContain('CLIENTS_FILE needs FRONTDESK_MODE=development: ')
})
