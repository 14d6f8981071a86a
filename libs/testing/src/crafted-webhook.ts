import { createHmac, randomUUID } from 'node:crypto'
import type { SandboxWebhook } from './provider-fixture.ts'

/** What a webhook tells that the sandbox would not say by itself. */
export interface CraftedWebhook {
  for: SandboxWebhook['for']
  type: string
  object: object
  /** More members of the event, such as its `account`. */
  more?: object
  /** When it was signed, in milliseconds. */
  at?: number
}

/** Makes a webhook that is signed as the sandbox signs, with its secret. */
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

/** The provider's identifier of the event that a webhook brings. */
export function eventIdOf({ body }: Pick<SandboxWebhook, 'body'>): string {
  return (JSON.parse(body.toString('utf8')) as { id: string }).id
}
