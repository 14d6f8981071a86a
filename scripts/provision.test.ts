import { spawnSync } from 'node:child_process'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'

const script = resolve(import.meta.dirname, 'provision.ts')

test('Provisioning an unknown service exits with 2 and names the services', () => {
  const { status, stderr } = spawnSync(process.execPath, [script, 'paymnts'], {
    env: { NATS_URL: 'nats://127.0.0.1:1' },
    encoding: 'utf8',
  })
  expect(stderr).toContain('There is no service "paymnts". The services are accounts, gateway, payments,')
  expect(status).toBe(2)
})
