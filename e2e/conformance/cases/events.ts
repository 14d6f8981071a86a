import { deepStrictEqual as same, match, ok } from 'node:assert/strict'
import { eventually } from '@frontdesk/testing/eventually'
import { openReceiver, type Receiver } from '@frontdesk/testing/receiver'
import { HTTP } from 'cloudevents'
import { Webhook } from 'standardwebhooks'
import type { CaseGroup } from '../case.ts'
import { faultsOf } from '../check.ts'
import { paymentEventAttributes, type ResourceName } from '../interface-document.ts'
import { openPayment, openOnboardedSite, type Payment } from '../practice.ts'
import type { TestedSystem } from '../tested-system.ts'

interface Delivered {
  event: Record<string, unknown> & { data: Record<string, unknown> }
  headers: Record<string, string | string[] | undefined>
}

/** Waits for the first delivery for a payment; the Standard Webhooks package checks its signature. */
function delivered(receiver: Receiver, secret: string, recordId: string): Promise<Delivered> {
  return eventually(
    () => {
      const request = receiver.requests.find(({ body }) => body.includes(recordId))
      if (request === undefined) throw new Error(`nothing is delivered for ${recordId}`)
      const { body, headers } = request
      const event = new Webhook(secret).verify(body, headers as Record<string, string>) as Delivered['event']
      const parsed = HTTP.toEvent({ headers, body })
      ok(!Array.isArray(parsed))
      same([parsed.id, parsed.type], [event['id'], event['type']])
      return { event, headers }
    },
    { within: 30_000, every: 50 },
  )
}

/** The ways in which a payment ends, and the event of each. */
const ends: readonly {
  type: string
  data: ResourceName
  end: (system: TestedSystem, payment: Payment, site: string) => Promise<unknown>
  members: (payment: Payment) => Record<string, unknown>
}[] = [
  {
    type: 'payment.succeeded',
    data: 'PaymentSucceeded',
    end: (system, { PaymentId }) => system.provider.atCheckout(PaymentId, 'pay'),
    members: () => ({ amount: 4_500, currency: 'GBP' }),
  },
  {
    type: 'payment.failed',
    data: 'PaymentFailed',
    end: (system, { PaymentId }) => system.provider.atCheckout(PaymentId, 'fail'),
    members: () => ({}),
  },
  {
    type: 'payment.cancelled',
    data: 'PaymentCancelled',
    end: async (system, { RecordId }, site) => {
      const params = { SiteSlug: site, PaymentIdentifier: RecordId }
      await system.success('cancelPayment', { params })
    },
    members: () => ({ cancellationReason: 'requested_by_client' }),
  },
  {
    type: 'payment.cancelled',
    data: 'PaymentCancelled',
    end: (system, { PaymentId }) => system.provider.atCheckout(PaymentId, 'expire'),
    members: () => ({ cancellationReason: 'expired' }),
  },
]

export const paymentEvents: CaseGroup = {
  title: 'payment events',
  cases: [
    {
      title:
        'Each outcome of a payment is delivered once, signed, with the attributes and data of the interface and no others',
      shows: ['subscribe success'],
      needs: ['receiver'],
      timeoutMs: 90_000,
      async run(system) {
        await using receiver = await openReceiver()
        const { site } = await openOnboardedSite(system)
        const params = { SiteSlug: site.SiteSlug }
        const body = { EventTypes: ['payment.*'], Url: receiver.url, Headers: [{ Name: 'X-Key', Value: 'of ours' }] }
        const { SigningSecret } = await system.success('subscribe', { params, body }, 201)
        for (const [index, { type, data, end, members }] of ends.entries()) {
          const more = index % 2 === 0 ? { Reference: `EVENT-${index}` } : {}
          const payment = await openPayment(system, site.SiteSlug, more)
          await end(system, payment, site.SiteSlug)
          const { event, headers } = await delivered(receiver, String(SigningSecret), payment.RecordId)
          same(event['type'], type)
          same(faultsOf({ resource: data }, event.data, ''), [])
          const { recordId, paymentProvider, reference } = event.data
          same([recordId, paymentProvider, reference], [payment.RecordId, 'Sandbox', more.Reference])
          for (const [name, value] of Object.entries(members(payment))) same(event.data[name], value)
          const { data: _data, ...attributes } = event
          same(Object.keys(attributes).toSorted(), Object.keys(paymentEventAttributes).toSorted())
          for (const [name, kind] of Object.entries(paymentEventAttributes)) same(faultsOf(kind, event[name], name), [])
          same([event['specversion'], event['visibility'], event['subject']], ['1.0', 1, payment.RecordId])
          same(
            [event['siteslug'], event['organisationslug'], event['billingorganisationslug'], event['product']],
            [site.SiteSlug, site.OwningOrganisationSlug, site.BillingOrganisationSlug, site.PracticeManagementSoftware],
          )
          same([event['pmsspecificid'], event['id']], [site.PmsSpecificSiteId, headers['webhook-id']])
          same([headers['x-key'], headers['content-type']], ['of ours', 'application/cloudevents+json; charset=utf-8'])
          match(String(event['traceparent']), /^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/)
        }
        same(receiver.requests.length, ends.length)
      },
    },
    {
      title: 'Only subscribed types are delivered, and nothing after the subscription has ended',
      needs: ['receiver'],
      timeoutMs: 60_000,
      async run(system) {
        await using receiver = await openReceiver()
        const { site } = await openOnboardedSite(system)
        const params = { SiteSlug: site.SiteSlug }
        const body = { EventTypes: ['payment.cancelled'], Url: receiver.url }
        const { SigningSecret } = await system.success('subscribe', { params, body }, 201)
        const pay = async () => {
          const payment = await openPayment(system, site.SiteSlug)
          await system.provider.atCheckout(payment.PaymentId, 'pay')
        }
        const cancel = async () => {
          const { RecordId } = await openPayment(system, site.SiteSlug)
          const one = { ...params, PaymentIdentifier: RecordId }
          await system.success('cancelPayment', { params: one })
          return RecordId
        }
        await pay()
        await delivered(receiver, String(SigningSecret), await cancel())
        await system.success('unsubscribe', { params })
        await cancel()
        const other = { EventTypes: ['payment.succeeded'], Url: receiver.url }
        const again = await system.success('subscribe', { params, body: other }, 201)
        const { RecordId, PaymentId } = await openPayment(system, site.SiteSlug)
        await system.provider.atCheckout(PaymentId, 'pay')
        await delivered(receiver, String(again['SigningSecret']), RecordId)
        same(
          receiver.requests.map((request) => (JSON.parse(request.body) as { type: string }).type),
          ['payment.cancelled', 'payment.succeeded'],
        )
      },
    },
  ],
}
