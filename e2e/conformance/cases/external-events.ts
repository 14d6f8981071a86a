import { deepStrictEqual as same, match, ok } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { eventually } from '@frontdesk/testing/eventually'
import { openReceiver } from '@frontdesk/testing/receiver'
import { CloudEvent, emitterFor, HTTP, Mode } from 'cloudevents'
import { Webhook } from 'standardwebhooks'
import type { CaseGroup } from '../case.ts'
import { ensure, isProblem, isSuccess } from '../check.ts'
import type { Answer } from '../exchange.ts'
import { openSite, sharedSite, until, type Site } from '../practice.ts'
import { eventBody } from '../specimens.ts'
import type { TestedSystem } from '../tested-system.ts'

const type = 'com.example.appointment.booked'
const batch = { 'content-type': 'application/cloudevents-batch+json' }

/** Returns a valid event of the main client. */
const event = (system: TestedSystem, more: Record<string, unknown> = {}) =>
  eventBody({ source: `${system.main.eventSource}conformance`, ...more })

const publish = (system: TestedSystem, SiteSlug: string, body: unknown, headers: Record<string, string> = {}) =>
  system.call('publishEvents', { params: { SiteSlug }, body, headers })

/** Publishes the request that the CloudEvents SDK makes of an event. */
async function emit(system: TestedSystem, SiteSlug: string, one: Record<string, unknown>, mode: Mode): Promise<Answer> {
  const emitter = emitterFor(
    ({ headers, body }) => {
      const named = Object.entries(headers).map(([name, value]) => [name, String(value)])
      return publish(system, SiteSlug, String(body), Object.fromEntries(named))
    },
    { mode },
  )
  return (await emitter(new CloudEvent(one as never))) as Answer
}

/** Subscribes to external events at a new site. */
async function subscribed(system: TestedSystem, Url: string): Promise<{ site: Site; secret: string }> {
  const site = await openSite(system)
  const body = { EventTypes: [type], Url }
  const answer = await system.call('subscribe', { params: { SiteSlug: site.SiteSlug }, body })
  return { site, secret: String(isSuccess(answer, 'subscribe', 201)['SigningSecret']) }
}

export const externalEvents: CaseGroup = {
  title: 'events of external systems',
  cases: [
    {
      title:
        'An event or a batch is accepted and delivered to the subscribers of its type, with the attributes of its site',
      shows: ['publishEvents success'],
      needs: ['receiver', 'event source'],
      async run(system) {
        await using receiver = await openReceiver()
        const { site, secret } = await subscribed(system, receiver.url)
        const sent = event(system, { visibility: 1, data: { at: 'ten' }, subject: 'a-1', comexampleextra: 'kept' })
        const one = await emit(system, site.SiteSlug, sent, Mode.STRUCTURED)
        same(isSuccess(one, 'publishEvents', 202), { Accepted: 1 })
        const several = [event(system, { visibility: 1 }), event(system, { visibility: 1 }), event(system)]
        same(isSuccess(await publish(system, site.SiteSlug, several, batch), 'publishEvents', 202), { Accepted: 3 })
        await eventually(() => same(receiver.requests.length, 3), { within: 15_000 })
        const delivered = receiver.requests.map(({ body, headers: signed }) => {
          const verified = new Webhook(secret).verify(body, signed as Record<string, string>) as Record<string, unknown>
          match(String(signed['webhook-id']), /^[0-9a-f]{8}-[0-9a-f]{4}-7/)
          // The SDK throws unless this is an event.
          const event = HTTP.toEvent({ headers: signed, body }) as CloudEvent<unknown>
          same([event.validate(), event.id], [true, verified['id']])
          return verified
        })
        const first = delivered.find(({ id }) => id === sent['id'])
        const { time, ...rest } = first ?? {}
        ok(!Number.isNaN(Date.parse(String(time))))
        same(rest, {
          ...sent,
          siteslug: site.SiteSlug,
          organisationslug: site.OwningOrganisationSlug,
          billingorganisationslug: site.BillingOrganisationSlug,
          product: site.PracticeManagementSoftware,
          pmsspecificid: site.PmsSpecificSiteId,
        })
        // The third event of the batch is internal. One more event shows when it would have been delivered.
        isSuccess(await publish(system, site.SiteSlug, event(system, { visibility: 1 })), 'publishEvents', 202)
        await eventually(() => same(receiver.requests.length, 4), { within: 15_000 })
        ok(receiver.requests.every(({ body }) => !body.includes(String(several[2]?.['id']))))
      },
    },
    {
      title:
        'An event in binary mode (attributes in headers) is 415, because bodies are forwarded and signed as they are',
      needs: ['event source'],
      async run(system) {
        const { SiteSlug } = await sharedSite(system)
        const sent = event(system, { visibility: 1, data: { at: 'ten' } })
        const answer = await emit(system, SiteSlug, sent, Mode.BINARY)
        isProblem(answer, { status: 415, code: 'media_type_unsupported' })
      },
    },
    {
      title: 'An event that is published again is accepted, and delivered once',
      needs: ['receiver', 'event source'],
      async run(system) {
        await using receiver = await openReceiver()
        const { site } = await subscribed(system, receiver.url)
        const body = event(system, { visibility: 1 })
        const together = await Promise.all([1, 2, 3].map(() => publish(system, site.SiteSlug, body)))
        for (const answer of together) isSuccess(answer, 'publishEvents', 202)
        isSuccess(
          await publish(system, site.SiteSlug, [body, event(system, { visibility: 1 })], batch),
          'publishEvents',
          202,
        )
        await eventually(() => same(receiver.requests.length, 2), { within: 15_000 })
      },
    },
    {
      title: 'A client cannot publish a reserved type, a foreign source, a foreign site or another visibility',
      shows: ['publishEvents Unprocessable'],
      needs: ['event source'],
      async run(system) {
        const { SiteSlug } = await sharedSite(system)
        const source = system.main.eventSource ?? ''
        const prefixes = ['payment.', 'site.', 'organisation.', 'account.', 'subscription.', 'delivery.', 'provider.']
        const refused: readonly (readonly [Record<string, unknown>, string])[] = [
          ...prefixes.map((prefix) => [{ type: `${prefix}succeeded` }, '/type'] as const),
          [{ type: 'a b' }, '/type'],
          [{ visibility: 2 }, '/visibility'],
          [{ visibility: 3 }, '/visibility'],
          [{ source: 'https://other.example/' }, '/source'],
          [{ source: `${source.replace(/\/$/, '')}.evil/x` }, '/source'],
          [{ source: 'x' }, '/source'],
          [{ siteslug: 'sUnknown0001' }, '/siteslug'],
          [{ organisationslug: 'oUnknown0001' }, '/organisationslug'],
          [{ billingorganisationslug: 'oUnknown0001' }, '/billingorganisationslug'],
          [{ product: 'Dentrix' }, '/product'],
          [{ pmsspecificid: 'another' }, '/pmsspecificid'],
          [{ data: { text: 'x'.repeat(70_000) } }, '/data'],
        ]
        for (const [more, pointer] of refused) {
          const answer = await publish(system, SiteSlug, event(system, more))
          isProblem(answer, { status: 422, code: 'event_refused', pointer })
        }
        const mixed = [event(system), event(system, { type: 'payment.succeeded' })]
        isProblem(await publish(system, SiteSlug, mixed, batch), { status: 422, pointer: '/1/type' })
      },
    },
    {
      title: 'Clients without a registered source, and site keys, cannot publish',
      shows: ['publishEvents Unprocessable'],
      needs: ['several systems'],
      async run(system) {
        const { SiteSlug, keys } = await sharedSite(system)
        for (const as of [{ client: system.several?.id ?? '' }, { siteKey: keys.PrimaryKey }]) {
          const answer = await system.call('publishEvents', { params: { SiteSlug }, body: event(system), as })
          isProblem(answer, { status: 422, code: 'event_refused', pointer: '/source' })
        }
      },
    },
    {
      title: 'A body that is not a CloudEvent is 400 with a pointer, and a batch holds 1 to 100 events',
      shows: ['publishEvents Malformed Request'],
      needs: ['event source'],
      async run(system) {
        const { SiteSlug } = await sharedSite(system)
        const refused: readonly (readonly [Record<string, unknown>, string])[] = [
          ...['specversion', 'id', 'source', 'type'].map((name) => [{ [name]: undefined }, `/${name}`] as const),
          ...['id', 'source', 'type'].map((name) => [{ [name]: '' }, `/${name}`] as const),
          [{ specversion: '0.3' }, '/specversion'],
          [{ time: 'yesterday' }, '/time'],
          [{ expirytime: 'x' }, '/expirytime'],
          [{ visibility: 4 }, '/visibility'],
          [{ visibility: '1' }, '/visibility'],
          [{ priority: 1.5 }, '/priority'],
          [{ siteslug: 'x' }, '/siteslug'],
          [{ data: 'text' }, '/data'],
          [{ source: 'not a uri' }, '/source'],
          [{ dataschema: '/relative' }, '/dataschema'],
          [{ dataref: 'a b' }, '/dataref'],
        ]
        for (const [more, pointer] of refused) {
          const answer = await publish(system, SiteSlug, event(system, more))
          isProblem(answer, { status: 400, code: 'malformed_request', pointer })
        }
        const many = (count: number) => Array.from({ length: count }, () => event(system))
        for (const events of [[], many(101), [event(system), {}]])
          isProblem(await publish(system, SiteSlug, events, batch), { status: 400 })
        isSuccess(await publish(system, SiteSlug, many(100), batch), 'publishEvents', 202)
      },
    },
    {
      title: 'An expired event is not sent again',
      shows: ['redeliver Unprocessable'],
      needs: ['receiver', 'event source'],
      async run(system) {
        await using receiver = await openReceiver()
        receiver.reply(() => ({ status: 503, headers: { 'retry-after': '3600' } }))
        const { site } = await subscribed(system, receiver.url)
        const params = { SiteSlug: site.SiteSlug }
        const expires = Date.now() + 3_000
        const body = event(system, { visibility: 1, expirytime: new Date(expires).toISOString() })
        isSuccess(await publish(system, site.SiteSlug, body), 'publishEvents', 202)
        await eventually(() => ok(receiver.requests.length > 0), { within: 15_000 })
        const { Items } = await until(
          system,
          'listDeliveries',
          params,
          (list) => (list['Items'] as unknown[]).length === 1,
        )
        const [{ DeliveryId } = { DeliveryId: '' }] = Items as { DeliveryId: string }[]
        while (Date.now() < expires + 200) await wait(100)
        const answer = await system.call('redeliver', { params: { ...params, DeliveryId } })
        isProblem(answer, { status: 422, code: 'delivery_not_redeliverable' })
      },
    },
    {
      title: 'An Idempotency-Key works for events as for every other POST',
      needs: ['event source'],
      async run(system) {
        const { SiteSlug } = await openSite(system)
        const headers = { 'idempotency-key': randomUUID() }
        const body = event(system)
        isSuccess(await publish(system, SiteSlug, body, headers), 'publishEvents', 202)
        const again = await publish(system, SiteSlug, body, headers)
        ensure(again.headers['idempotency-replayed'] === 'true', again, 'no replay')
        const other = await publish(system, SiteSlug, event(system), headers)
        isProblem(other, { status: 422, code: 'idempotency_key_reused' })
      },
    },
  ],
}
