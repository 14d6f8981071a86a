import { connectNats, type NatsSettings } from '@frontdesk/events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { eventually } from '@frontdesk/testing/eventually'
import { openReceiver } from '@frontdesk/testing/receiver'
import createClient from 'openapi-fetch'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { components, paths, webhooks } from '../docs/contracts/openapi.ts'
import { throwAwayFolder } from '@frontdesk/testing/throw-away-folder'
import { lackOf, languages } from './generated-clients/languages.ts'
import { playStory, type Step } from './generated-clients/play.ts'
import { startSystem, type StartedSystem } from './system/start-system.ts'

type Delivered = webhooks['payment.succeeded']['post']['requestBody']['content']['application/cloudevents+json'] &
  Pick<components['schemas']['Envelope'], 'dataschema'>

let system: StartedSystem
beforeAll(async () => void (system = await startSystem()))
afterAll(() => system?.[Symbol.asyncDispose]())

test('The running system serves the document that the client was generated from', async () => {
  const { gateway } = system.devStack.dev
  const printed = await readFile(join(import.meta.dirname, '../docs/contracts/openapi.json'), 'utf8')
  const served = await (await fetch(`${gateway}/openapi.json`)).json()
  expect(served).toEqual(JSON.parse(printed.replaceAll('https://frontdesk.example', gateway)))
})

test('A client generated from /openapi.json runs the main use case, and every event on the wire matches its schema', async () => {
  await using wire = await listenToEvents(system.devStack.dev.nats.administrator)
  await using receiver = await openReceiver()
  const api = createClient<paths>({ baseUrl: system.devStack.dev.gateway })
  const token = await system.newToken('demo')
  api.use({ onRequest: ({ request }) => request.headers.set('authorization', `Bearer ${token}`) })

  const created = await api.POST('/api/v1/management/sites', {
    params: { header: { 'Idempotency-Key': crypto.randomUUID() } },
    body: { Name: 'Harbour Street Dental', Address: { Country: 'GB' }, Currency: 'GBP' },
  })
  expect(created.response.status).toBe(201)
  const SiteSlug = created.data?.Identity.SiteSlug ?? ''
  const ofSite = { params: { path: { SiteSlug } } }

  const onboarding = await api.POST('/api/v1/sites/{SiteSlug}/payment-provider-accounts', {
    ...ofSite,
    body: { paymentProvider: 'Sandbox' },
  })
  const { accountId: AccountId = '', externalAccountId = '' } = onboarding.data?.account ?? {}
  await system.provider.control(`accounts/${externalAccountId}/complete`)
  await eventually(
    async () => {
      const account = await api.GET('/api/v1/sites/{SiteSlug}/payment-provider-accounts/{AccountId}', {
        params: { path: { SiteSlug, AccountId } },
      })
      expect(account.data?.status).toBe('Active')
    },
    { within: 15_000, every: 100 },
  )

  const subscribed = await api.POST('/api/v1/sites/{SiteSlug}/webhooks/payments', {
    ...ofSite,
    body: { EventTypes: ['payment.*'], Url: receiver.url, Headers: [{ Name: 'X-Key', Value: 'k' }] },
  })
  const paid = await api.POST('/api/v1/sites/{SiteSlug}/payments', {
    ...ofSite,
    body: { PaymentProvider: 'Sandbox', Currency: 'GBP', LineItems: [{ ProductName: 'Check-up', Price: 4_500 }] },
  })
  expect(paid.data).toMatchObject({ Amount: 4_500, Currency: 'GBP', CheckoutUrl: expect.any(String) })
  await system.provider.atCheckout(paid.data?.PaymentId ?? '', 'pay')
  const delivery = await eventually(
    () => {
      const [first] = receiver.requests
      if (first === undefined) throw new Error('nothing was delivered')
      return first
    },
    { within: 30_000, every: 50 },
  )
  const secret = subscribed.data?.SigningSecret ?? ''
  const event = new Webhook(secret).verify(delivery.body, delivery.headers as Record<string, string>) as Delivered
  expect(event.type).toBe('payment.succeeded')
  expect(event.data).toMatchObject({ recordId: paid.data?.RecordId, amount: 4_500, currency: 'GBP' })

  // Errors are as typed as successes.
  const refused = await api.POST('/api/v1/sites/{SiteSlug}/payments', {
    ...ofSite,
    body: { PaymentProvider: 'Sandbox', Currency: 'GBP', LineItems: [] },
  })
  expect(refused.error).toMatchObject({ code: 'line_items_required', status: 422 })
  const pages = await api.GET('/api/v1/sites', { params: { query: { pageSize: 1, Sites: [SiteSlug] } } })
  expect(pages.data?.Items.map((site) => site.SiteSlug)).toEqual([SiteSlug])
  const deleted = await api.DELETE('/api/v1/management/sites/{SiteIdentifier}', {
    params: { path: { SiteIdentifier: SiteSlug } },
  })
  expect(deleted.data?.Identity.SiteSlug).toBe(SiteSlug)

  const expected = ['account.created', 'account.deleted', 'account.updated', 'organisation.deleted']
  expected.push('payment.created', 'payment.succeeded', 'provider.event.received', 'site.created', 'site.deleted')
  await eventually(() => expect(wire.events.map(({ type }) => type)).toEqual(expect.arrayContaining(expected)), {
    within: 15_000,
  })
  const faults: string[] = []
  for (const each of [...wire.events, event]) {
    const check = await schemaAt(String(each.dataschema))
    if (!check(each.data)) faults.push(`${each.type}: ${ajv.errorsText(check.errors)}`)
  }
  expect(faults).toEqual([])
})

test.for(languages)(
  'A client generated for $name compiles without a warning and tells the story of the demo',
  async (language, { skip }) => {
    const lack = lackOf(language)
    skip(lack !== undefined, lack)
    await using folder = await throwAwayFolder()
    expect(await language.build(folder.path)).toBe('')
    await using receiver = await openReceiver()
    const { gateway, clients } = system.devStack.dev
    const client = clients.find(({ id }) => id === 'demo')!
    const steps = await playStory(language, folder.path, { system, gateway, client, receiver: receiver.url })
    expect(steps.map(({ step }) => step)).toEqual(['onboard', 'refused', 'pay', 'done'])
    expect(steps).toContainEqual({ step: 'refused', code: 'line_items_required' })
    const done = steps.at(-1) as Extract<Step, { step: 'done' }>
    expect(done).toMatchObject({ amount: 4_500, statuses: 3 })
    const delivery = await eventually(
      () => receiver.requests[0] ?? Promise.reject(new Error('nothing was delivered')),
      {
        within: 30_000,
        every: 50,
      },
    )
    const event = new Webhook(done.secret).verify(
      delivery.body,
      delivery.headers as Record<string, string>,
    ) as Delivered
    expect(event.data).toMatchObject({ recordId: done.record, amount: 4_500, currency: 'GBP' })
  },
)

test('Unsubscribing takes no body: an empty body counts as none, and any other is 400', async () => {
  const { gateway } = system.devStack.dev
  const { Identity } = await system.frontdesk.createSite({ body: { Name: 'Harbour Street Dental' } })
  const subscription = {
    EventTypes: ['payment.failed'],
    Url: 'https://pms.example/hooks',
    Headers: [{ Name: 'X-Key', Value: 'k' }],
  }
  await system.frontdesk.subscribe({ SiteSlug: Identity.SiteSlug, body: subscription })
  const headers = { authorization: `Bearer ${await system.newToken('demo')}`, 'content-type': 'application/json' }
  const unsubscribe = (body: string) =>
    fetch(`${gateway}/api/v1/sites/${Identity.SiteSlug}/webhooks/payments`, { method: 'DELETE', headers, body })
  expect((await unsubscribe(JSON.stringify({ EventTypes: ['payment.*'] }))).status).toBe(400)
  const done = await unsubscribe('')
  expect(done.status).toBe(200)
  expect(await done.json()).toEqual(subscription)
})

interface WireEvent {
  type: string
  dataschema?: unknown
  data?: unknown
}

/** Collects the events that services publish from now on; JetStream's messages are also plain NATS messages. */
async function listenToEvents(settings: NatsSettings): Promise<{ events: WireEvent[] } & AsyncDisposable> {
  const connection = await connectNats(settings)
  const events: WireEvent[] = []
  for (const subject of ['evt.>', 'work.>']) {
    connection.subscribe(subject, { callback: (_error, message) => void events.push(message.json()) })
  }
  await connection.flush()
  return { events, [Symbol.asyncDispose]: () => connection.close() }
}

const ajv = addFormats.default(new Ajv2020({ strict: true, allErrors: true }))

/** Returns the schema that is served at an address, compiled once. */
async function schemaAt(address: string): Promise<ValidateFunction> {
  return ajv.getSchema(address) ?? ajv.compile((await (await fetch(address)).json()) as object)
}
