import { spawn } from 'node:child_process'
import { resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { throwAwayNatsServers } from '@frontdesk/testing'
import { expect, test } from 'vitest'

const script = resolve(import.meta.dirname, '../../../scripts/provision.ts')

async function run(args: string[], env: Record<string, string>) {
  const { PATH, NODE_COMPILE_CACHE } = process.env
  const child = spawn(process.execPath, [script, ...args], { env: { PATH, NODE_COMPILE_CACHE, ...env } })
  const exited = new Promise<number | null>((done) => child.once('exit', done))
  const [stdout, stderr, status] = await Promise.all([text(child.stdout), text(child.stderr), exited])
  return { lines: stdout.trim().split('\n'), stderr, status }
}

test('--check exits with 1 while anything differs, --dry-run prints the plan, and neither changes anything', async () => {
  await using server = await throwAwayNatsServers(1, '10GB')
  const env = { ...server.settings('provisioner') }
  const plan = ['registry: create stream EVT_REGISTRY (256 MiB, 3 d, 1 replica)']
  const [dryRun, check] = await Promise.all([run(['registry', '--dry-run'], env), run(['registry', '--check'], env)])
  expect(dryRun).toMatchObject({ lines: plan, status: 0 })
  expect(check).toMatchObject({ lines: plan, status: 1 })
  const done = 'registry: streams and consumers are up to date'
  expect(await run(['registry'], env)).toMatchObject({ lines: [...plan, done], status: 0 })

  const smaller = { ...env, EVT_REGISTRY_MAX_BYTES: '1MiB' }
  const [current, drift, refused] = await Promise.all([
    run(['registry', '--check'], env),
    run(['registry', '--check'], { ...env, EVT_REGISTRY_MAX_BYTES: '1GiB' }),
    run(['registry'], smaller),
  ])
  expect(current).toMatchObject({ lines: [done], status: 0 })
  const change = 'registry: change stream EVT_REGISTRY: max_bytes 256 MiB -> 1 GiB'
  expect(drift).toMatchObject({ lines: [change], status: 1 })
  const kept = 'stream EVT_REGISTRY stays as it is: max_bytes 256 MiB -> 1 MiB'
  expect(refused).toMatchObject({ stderr: expect.stringContaining(kept), status: 1 })
})

test('an unknown option or setting exits with 2', async () => {
  await using server = await throwAwayNatsServers(1, '10GB')
  const env = { ...server.settings('provisioner') }
  const [option, services, setting] = await Promise.all([
    run(['payments', '--chek'], env),
    run(['payments', 'accounts'], env),
    run(['payments'], { ...env, EVT_PAYMENT_MAX_BYTES: '1GiB' }),
  ])
  expect(option).toMatchObject({ status: 2, stderr: expect.stringContaining('--chek') })
  expect(services).toMatchObject({ status: 2, stderr: expect.stringContaining('Usage:') })
  expect(setting).toMatchObject({ status: 2, stderr: expect.stringContaining('EVT_PAYMENT_MAX_BYTES is no setting') })
})
