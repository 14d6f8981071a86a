import { passedOn } from '@frontdesk/contracts'
import { expect, test } from 'vitest'
import { enabledProvider, openProviders, verifyReceived } from '../src/index.ts'
import type { Provider, ProviderEvent, Providers, WebhookRequest } from '../src/port.ts'
import { stripeConfig } from '../src/stripe/settings.ts'
import { readEvent } from '../src/stripe/webhooks.ts'

const now = new Date('2026-11-21T09:00:00Z')
const account = { id: 'tr_1', object: 'payment' }
const body = { id: 'evt_1', object: 'event', type: 'changed', created: 1, livemode: false, data: { object: account } }
/** An event without an id of its own. */
const event: ProviderEvent = { ...readEvent(JSON.stringify(body)), id: undefined }

/** A provider whose webhooks are unlike Stripe's: several events without ids and accounts, a header and a reply of its own. */
function openUnlike(events: ProviderEvent[]) {
  const keys = { secretKey: 'sk_test_1', publishableKey: 'pk_test_1', webhookSecrets: [] }
  const opened = openProviders([stripeConfig({ name: 'Sandbox', ...keys })])
  const seen: WebhookRequest[] = []
  const provider: Provider = {
    ...enabledProvider(opened, 'Sandbox'),
    receiveWebhook(request) {
      seen.push(request)
      return { events, reply: { contentType: 'text/plain', body: '[accepted]' } }
    },
  }
  const providers: Providers = { ...opened, get: () => provider }
  return {
    seen,
    receive: (headers: Record<string, string>) =>
      verifyReceived(providers, 'Sandbox', { body: Buffer.from('id=tr_1'), headers: passedOn(headers) }, now),
    [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose](),
  }
}

test('a provider gets its own headers from behind the gateway, and its reply is given to it', async () => {
  await using unlike = openUnlike([event])
  const { reply } = unlike.receive({ 'x-signature-v2': 'abc', authorization: 'Basic provider' })
  expect(unlike.seen[0]?.headers).toEqual({ 'x-signature-v2': 'abc', authorization: 'Basic provider' })
  expect(reply).toEqual({ contentType: 'text/plain', body: '[accepted]' })
})

test('a webhook has as many events as it has; one without an id is another one each time', async () => {
  await using unlike = openUnlike([event, { ...event, id: 'evt_1' }])
  const [first, second] = [unlike.receive({}), unlike.receive({})].map(({ webhooks }) =>
    webhooks.map(({ event: { id } }) => id),
  )
  expect(first).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/), 'evt_1'])
  expect(second).toEqual([expect.not.stringMatching(first?.[0] ?? ''), 'evt_1'])
})

test('each event of the other mode is shelved for itself', async () => {
  await using unlike = openUnlike([event, { ...event, livemode: true }])
  expect(unlike.receive({}).webhooks.map(({ shelved }) => shelved)).toEqual([undefined, 'of the other mode'])
})
