import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { openNarrator } from '../demo/narrator.ts'
import { SystemFault } from '../system/fault.ts'
import { openInbox, type Inbox, type InboxWebhook } from '../system/inbox.ts'
import { devFilePath, joinSystem, readSystemFile } from '../system/system.ts'

const usage = `npm run listen -- --port PORT [options]

Forwards the webhooks of a client's inbox to a program on this machine, byte by byte, until Ctrl-C. Its answers are the answers to
Frontdesk, so that retries come as they would in production. The system is the one that npm start runs.

  --port PORT   where your program listens
  --path PATH   the path of its receiver; default: /
  --client ID   the client whose inbox it is; default: demo
  --help        print this text
`

/** A lease of the sandbox lasts six seconds. */
const every = 500
const narrator = openNarrator(process.stdout)
const stop = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => stop.abort())

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      port: { type: 'string' },
      path: { type: 'string', default: '/' },
      client: { type: 'string', default: 'demo' },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help || values.port === undefined) return void process.stdout.write(usage)
  const port = Number(values.port)
  if (!Number.isInteger(port) || port < 1 || port > 65_535)
    throw new SystemFault(`--port ${values.port} is not a port.`)

  const file = readSystemFile(devFilePath(process.env))
  joinSystem(file).entry(values.client)
  const inbox = openInbox(file.sandbox, values.client)
  const to = `http://127.0.0.1:${port}/${values.path.replace(/^\//, '')}`
  const [newest] = await inbox.webhooks()
  await inbox.forwardTo(to)
  narrator.chapter(`Webhooks of ${values.client} go to ${to}`)
  narrator.detail(`A subscription that names ${inbox.url} has its webhooks there. Let one happen in another terminal:`)
  narrator.detail('npm run trigger -- payment.succeeded')
  try {
    await follow(inbox, to, newest?.number ?? 0)
  } finally {
    await inbox.stopForwarding()
  }
}

/** Renews the lease and prints what was forwarded, until the program is told to stop. */
async function follow(inbox: Inbox, to: string, newest: number): Promise<void> {
  let after = newest
  while (!stop.signal.aborted) {
    await inbox.forwardTo(to)
    for (const webhook of (await inbox.webhooks({ after })).toReversed()) {
      process.stdout.write(`${forwardedText(webhook)}\n`)
      after = webhook.number
    }
    await delay(every, undefined, { signal: stop.signal }).catch(() => undefined)
  }
}

function forwardedText({
  receivedAt,
  type = 'no CloudEvent',
  webhookId,
  answer,
  answeredBy,
  error,
}: InboxWebhook): string {
  const by = answeredBy === 'inbox' ? ' (by the inbox itself)' : ''
  return `${receivedAt.slice(11, 19)} ${type} ${webhookId ?? ''} -> ${answer}${by}${error === undefined ? '' : ` ${error}`}`
}

try {
  await main()
} catch (error) {
  narrator.fault(error instanceof Error ? error.message : String(error))
  process.exitCode = 1
}
