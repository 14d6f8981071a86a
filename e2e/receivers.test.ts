import { execFile, spawn, spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import process from 'node:process'
import { promisify } from 'node:util'
import { freePort } from '@frontdesk/testing'
import { eventually } from '@frontdesk/testing/eventually'
import { throwAwayFolder } from '@frontdesk/testing/throw-away-folder'
import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'

const folder = join(import.meta.dirname, '../docs/receivers')
const secret = 'whsec_ZnJvbnRkZXNrIGtub3duLWFuc3dlciBzZWNyZXQgMDE='
const otherSecret = 'whsec_ZnJvbnRkZXNrIGtub3duLWFuc3dlciBzZWNyZXQgMDI='
const run = promisify(execFile)

/** How each receiver is run. `port` is where it must listen, `scratch` a folder that goes away. */
const receivers: {
  file: string
  runtime: [string, ...string[]]
  command: (port: number, scratch: string) => Promise<[string, ...string[]]>
}[] = [
  {
    file: 'receiver.ts',
    runtime: [process.execPath, '--version'],
    command: async () => [process.execPath, `${folder}/receiver.ts`],
  },
  {
    file: 'receiver.py',
    runtime: ['python3', '--version'],
    command: async () => ['python3', `${folder}/receiver.py`],
  },
  {
    file: 'receiver.go',
    runtime: ['go', 'version'],
    command: async (_port, scratch) => {
      await run('go', ['vet', `${folder}/receiver.go`])
      await run('go', ['build', '-o', `${scratch}/receiver`, `${folder}/receiver.go`])
      return [`${scratch}/receiver`]
    },
  },
  {
    file: 'receiver.cs',
    runtime: ['dotnet', '--version'],
    command: async () => ['dotnet', 'run', `${folder}/receiver.cs`],
  },
  {
    file: 'receiver.php',
    runtime: ['php', '--version'],
    command: async (port) => ['php', '-S', `127.0.0.1:${port}`, `${folder}/receiver.php`],
  },
]

for (const { file, runtime, command } of receivers) {
  const [program, ...args] = runtime
  const isPresent = spawnSync(program, args).status === 0
  if (!isPresent) process.stderr.write(`docs/receivers/${file} was not played: ${program} is not installed.\n`)

  test.skipIf(!isPresent)(`${file} takes a signed webhook once, and refuses a forged and an old one`, async () => {
    await using scratch = await throwAwayFolder()
    const port = await freePort()
    const [started, ...parameters] = await command(port, scratch.path)
    const env = { ...process.env, WEBHOOK_SECRET: secret, PORT: String(port), SEEN_FOLDER: scratch.path }
    const child = spawn(started, parameters, { env, stdio: ['ignore', 'pipe', 'ignore'] })
    try {
      let told = ''
      child.stdout.setEncoding('utf8').on('data', (text: string) => (told += text))
      const url = `http://127.0.0.1:${port}/hooks`
      await eventually(() => fetch(url, { method: 'POST' }), { within: 60_000, every: 50 })

      const first = randomUUID()
      expect(await deliver(url, first)).toBe(204)
      expect(await deliver(url, first)).toBe(204)
      // During a rotation the other secret signs too, and may come first.
      const rotated = randomUUID()
      expect(await deliver(url, rotated, { signers: [otherSecret, secret] })).toBe(204)
      expect(await deliver(url, randomUUID(), { signers: [otherSecret] })).toBe(400)
      expect(await deliver(url, randomUUID(), { sent: '{"type":"payment.succeeded","data":{"amount":1}}' })).toBe(400)
      expect(await deliver(url, randomUUID(), { at: new Date(Date.now() - 600_000) })).toBe(400)
      expect(await deliver(url, randomUUID(), { at: new Date(Date.now() + 600_000) })).toBe(400)
      const lines = [
        `accepted ${first} payment.succeeded`,
        `repeated ${first}`,
        `accepted ${rotated} payment.succeeded`,
      ]
      await eventually(() => expect(told.split('\n').filter((line) => / /.test(line))).toEqual(lines), {
        within: 5_000,
      })
    } finally {
      child.kill('SIGKILL')
    }
  })
}

interface Delivery {
  signers?: string[]
  at?: Date
  /** The body that arrives, if it is not the one that was signed. */
  sent?: string
}

/** Delivers an event and returns the status of the reply. */
async function deliver(url: string, id: string, { signers = [secret], at = new Date(), sent }: Delivery = {}) {
  // Letters that are more than one byte: the signature is over bytes.
  const body = JSON.stringify({ specversion: '1.0', id, type: 'payment.succeeded', data: { reference: 'Zürich' } })
  const signature = signers.map((signer) => new Webhook(signer).sign(id, at, body)).join(' ')
  const headers = {
    'content-type': 'application/cloudevents+json; charset=utf-8',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': signature,
  }
  const { status } = await fetch(url, { method: 'POST', headers, body: sent ?? body })
  return status
}
