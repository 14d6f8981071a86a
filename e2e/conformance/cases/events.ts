import { deepStrictEqual as same, match, ok } from 'node:assert/strict'
import { eventually } from '@frontdesk/testing/eventually'
import { openReceiver, type Receiver } from '@frontdesk/testing/receiver'
import { HTTP } from 'cloudevents'
import { Webhook } from 'standardwebhooks'
import type { CaseGroup } from '../case.ts'
import { faultsOf } from '../check.ts'
import { paymentEventAttributes, type ResourceName } from '../interface-document.ts'
import { onboard, openOnboardedSite, openPaidPayment, openPayment, openSite, type Payment } from '../practice.ts'
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

/** Returns whether data has these members with these values. */
function matches(data: Record<string, unknown> | undefined, members: Record<string, unknown>): boolean {
  return Object.entries(members).every(([name, value]) => data?.[name] === value)
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
      title: 'Refunds and disputes are delivered to who subscribed to them, once each, about the payment',
      shows: ['subscribe success', 'createRefund success'],
      needs: ['receiver', 'sandbox'],
      timeoutMs: 90_000,
      async run(system) {
        await using receiver = await openReceiver()
        const { site } = await openOnboardedSite(system)
        const params = { SiteSlug: site.SiteSlug }
        const body = { EventTypes: ['refund.*', 'dispute.*'], Url: receiver.url }
        await system.success('subscribe', { params, body }, 201)
        const { RecordId, PaymentId } = await openPaidPayment(system, site.SiteSlug, { Reference: 'REFUNDED' })
        const received = (count: number) =>
          eventually(
            () => {
              const events = receiver.requests.map((one) => JSON.parse(one.body) as Delivered['event'])
              if (events.length < count) throw new Error(`${events.length} of ${count} events have come`)
              return events
            },
            { within: 30_000, every: 50 },
          )
        const one = { ...params, PaymentIdentifier: RecordId }
        const sent = { Amount: 1_500, Reference: 'CREDIT-17' }
        const { RefundId } = await system.success('createRefund', { params: one, body: sent }, 201)
        await received(1)
        await system.provider.atCheckout(PaymentId, 'fail-refund')
        await received(2)
        await system.provider.atCheckout(PaymentId, 'dispute')
        await received(3)
        await system.provider.atCheckout(PaymentId, 'lose-dispute')
        const events = await received(4)
        same(
          events.map(({ type }) => type),
          ['refund.succeeded', 'refund.failed', 'dispute.opened', 'dispute.closed'],
        )
        const [paidBack, failed, opened, closed] = events.map(({ data }) => data)
        const refund = { refundId: RefundId, amount: 1_500, currency: 'GBP', refundReference: 'CREDIT-17' }
        ok(matches(paidBack, { ...refund, refundedAmount: 1_500 }), JSON.stringify(paidBack))
        ok(matches(failed, { ...refund, refundedAmount: 0 }), JSON.stringify(failed))
        ok(typeof failed?.['failureReason'] === 'string', 'a failed refund does not say why')
        ok(matches(opened, { amount: 4_500, currency: 'GBP' }), JSON.stringify(opened))
        ok(matches(closed, { disputeId: opened?.['disputeId'], disputeOutcome: 'lost' }), JSON.stringify(closed))
        for (const event of events) {
          same([event['subject'], event.data['recordId'], event.data['reference']], [RecordId, RecordId, 'REFUNDED'])
          same([event['siteslug'], event['visibility']], [site.SiteSlug, 1])
        }
      },
    },
    {
      title:
        'A change of the status of an account is delivered to who subscribed to it, and no other event of the account',
      shows: ['subscribe success', 'createAccount success'],
      needs: ['receiver', 'sandbox'],
      timeoutMs: 60_000,
      async run(system) {
        await using receiver = await openReceiver()
        const { SiteSlug, PmsSpecificSiteId } = await openSite(system)
        const params = { SiteSlug }
        const body = { EventTypes: ['account.*'], Url: receiver.url }
        const { SigningSecret } = await system.success('subscribe', { params, body }, 201)
        const { accountId, externalAccountId } = await onboard(system, SiteSlug)
        const { event } = await delivered(receiver, String(SigningSecret), '"status":"Active"')
        same([event['type'], event['subject'], event['visibility']], ['account.status_changed', accountId, 1])
        same([event['siteslug'], event['pmsspecificid']], [SiteSlug, PmsSpecificSiteId])
        const { previousStatus, ...data } = event.data
        same(data, { accountId, externalAccountId, paymentProvider: 'Sandbox', status: 'Active' })
        ok(previousStatus !== 'Active', 'the status has not changed')
        const account = { ...params, AccountId: accountId }
        same((await system.success('getAccount', { params: account }))['status'], 'Active')
        // Its creation, and its deletion, are nobody's news but ours.
        await system.success('deleteAccount', { params: account })
        await system.success('unsubscribe', { params })
        const types = new Set(receiver.requests.map((one) => (JSON.parse(one.body) as { type: string }).type))
        same([...types], ['account.status_changed'])
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
