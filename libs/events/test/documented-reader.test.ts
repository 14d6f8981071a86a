import { spawn, spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import process from 'node:process'
import { busUsers, teamUser } from '@frontdesk/contracts'
import { eventually, throwAwayFolder, throwAwayNats } from '@frontdesk/testing'
import { jetstream } from '@nats-io/jetstream'
import { expect, test } from 'vitest'
import { connectNats, openBusCredentials, provisionEvents } from '../src/index.ts'

const source = join(import.meta.dirname, '../../../docs/examples/internal-events')
const hasGo = spawnSync('go', ['version']).status === 0
if (!hasGo) process.stderr.write('docs/examples/internal-events/main.go was not played: go is not installed.\n')

test.skipIf(!hasGo)(
  "main.go, with another team's user, reads each outcome once",
  { timeout: 180_000 },
  async ({ skip }) => {
    await using folder = await throwAwayFolder()
    const program = `${folder.path}/reader`
    const built = spawnSync('go', ['build', '-o', program, '.'], { cwd: source, encoding: 'utf8' })
    if (/dial tcp|no such host|disabled by GOPROXY|i\/o timeout/.test(built.stderr)) {
      process.stderr.write('docs/examples/internal-events/main.go was not played: its modules could not be fetched.\n')
      skip()
    }
    expect(built.stderr.replaceAll(/^go: downloading .*\n/gm, '')).toBe('')

    const users = [...busUsers, teamUser('recalls', ['evt.pub.payments.>'])]
    const credentials = openBusCredentials(`${folder.path}/keys`, users)
    await using nats = await throwAwayNats(credentials)
    await provisionEvents(nats.settings('provisioner'))
    const { NATS_URL, NATS_CREDENTIALS_FILE } = nats.settings('recalls')
    const env = { ...process.env, NATS_URL, NATS_CREDENTIALS_FILE }
    const reader = spawn(program, { env, stdio: ['ignore', 'pipe', 'pipe'] })
    const payments = await connectNats(nats.settings('payments'), { inboxPrefix: '_INBOX_payments' })
    try {
      let told = ''
      for (const stream of [reader.stdout, reader.stderr])
        stream.setEncoding('utf8').on('data', (text) => (told += text))
      const publish = (id: string, type: string, data: object) =>
        jetstream(payments).publish(`evt.pub.payments.${type}.v1.s123`, JSON.stringify({ id, type, data }))
      const [first, second, id] = [randomUUID(), randomUUID(), randomUUID()]
      await publish(id, 'payment.succeeded', { recordId: first, amount: 4500, currency: 'GBP' })
      await publish(id, 'payment.succeeded', { recordId: first, amount: 4500, currency: 'GBP' })
      await publish(randomUUID(), 'payment.failed', { recordId: second, failureReason: 'declined' })
      await publish(randomUUID(), 'payment.succeeded', { recordId: second, amount: 100, currency: 'JPY' })
      const lines = `payment.succeeded ${first} 4500 GBP\npayment.succeeded ${second} 100 JPY\n`
      await eventually(() => expect(told).toBe(lines), { within: 30_000 })
    } finally {
      reader.kill('SIGKILL')
      await payments.close()
    }
  },
)
