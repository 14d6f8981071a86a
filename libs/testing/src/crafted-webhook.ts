import { createHmac, randomUUID } from 'node:crypto'
import type { SandboxWebhook } from './provider-fixture.ts'

/** Content of a webhook that the sandbox itself would not send. */
export interface CraftedWebhook {
  for: SandboxWebhook['for']
  type: string
  object: object
  /** Further members of the event, such as `account`. */
  more?: object
  /** Time of the signature, in epoch milliseconds. Default: now. */
  at?: number
}

/** Makes a webhook with a signature like the sandbox's. */
export function craftWebhook(
  secret: string,
  { for: destination, type, object, more = {}, at = Date.now() }: CraftedWebhook,
): SandboxWebhook {
  const time = Math.floor(at / 1000)
  const event = {
    id: `evt_${randomUUID()}`,
    object: 'event',
    type,
    created: time,
    livemode: false,
    data: { object },
    ...more,
  }
  const body = Buffer.from(JSON.stringify(event))
  const signature = createHmac('sha256', secret).update(`${time}.`).update(body).digest('hex')
  return { for: destination, type, body, signature: `t=${time},v1=${signature}` }
}

/** Returns the provider's identifier of the event in a webhook. */
export function eventIdOf({ body }: Pick<SandboxWebhook, 'body'>): string {
  return (JSON.parse(body.toString('utf8')) as { id: string }).id
}
