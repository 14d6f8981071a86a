import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { FrontdeskProblem } from '#client'
import { eventually } from '@frontdesk/testing/eventually'
import { openNarrator } from '../demo/narrator.ts'
import { SystemFault } from '../system/fault.ts'
import { openInbox, type InboxWebhook } from '../system/inbox.ts'
import { devFilePath, joinSystem, readSystemFile } from '../system/system.ts'
import { addressFor, siteForTriggers } from './site.ts'
import { triggers, type TriggeredEvent } from './triggers.ts'

const usage = `npm run trigger -- EVENT [options]

Lets an event really happen at the system that npm start runs: a site takes a payment at the sandbox, and the webhook goes to the
client's subscription. Without one, the client subscribes, and the webhook is in its inbox. EVENT is one of

  ${Object.keys(triggers).join('\n  ')}

  --client ID   the client that acts; default: demo
  --site SLUG   a site of the client that can take payments in GBP; default: one that is opened for this
  --help        print this text
`

const narrator = openNarrator(process.stdout)

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      client: { type: 'string', default: 'demo' },
      site: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  })
  const [type] = positionals
  if (values.help || type === undefined) return void process.stdout.write(usage)
  if (!isTriggered(type))
    throw new SystemFault(`There is no event "${type}". Use one of ${Object.keys(triggers).join(', ')}.`)

  const devFile = devFilePath(process.env)
  const file = readSystemFile(devFile)
  const system = joinSystem(file, values.client)
  const inbox = openInbox(file.sandbox, values.client)
  const site = values.site ?? (await siteForTriggers(system, values.client, join(dirname(devFile), 'trigger.json')))
  const address = await addressFor(system, site, type, inbox)
  const { subject } = await narrator.step(async () => {
    const result = await triggers[type]({ ...system, site })
    return { told: `${result.told} at site ${site}`, result }
  })
  if (address !== inbox.url)
    return narrator.detail(`${type} goes to ${address}, the address of the site's subscription.`)
  await narrator.step(async () => ({ told: arrivalText(await arrival(inbox, type, subject)) }))
  narrator.detail(`See it at ${inbox.url}`)
}

function isTriggered(type: string): type is TriggeredEvent {
  return Object.hasOwn(triggers, type)
}

/** Waits up to 30 s for a webhook. */
function arrival(inbox: ReturnType<typeof openInbox>, type: string, subject: string): Promise<InboxWebhook> {
  return eventually(
    async () => {
      const [newest] = await inbox.webhooks({ type, subject })
      if (newest === undefined) throw new SystemFault(`${type} has not arrived at ${inbox.url} within 30 s.`)
      return newest
    },
    { within: 30_000, every: 100 },
  )
}

function arrivalText({ type, signature, answer, answeredBy, error }: InboxWebhook): string {
  const by = answeredBy === 'inbox' ? '' : ` by ${answeredBy}${error === undefined ? '' : ` (${error})`}`
  const again = answer >= 200 && answer < 300 ? '' : '; what that means: docs/webhooks.md'
  return `${type} arrived: signature ${signature}, answered ${answer}${by}${again}`
}

try {
  await main()
} catch (error) {
  const isExpected = error instanceof SystemFault || error instanceof FrontdeskProblem || error instanceof TypeError
  narrator.fault(
    isExpected || !(error instanceof Error) ? String((error as Error).message) : (error.stack ?? error.message),
  )
  process.exitCode = 1
}
