import { deepStrictEqual as same, match, ok } from 'node:assert/strict'
import type { CaseGroup } from '../case.ts'
import { isProblem } from '../check.ts'
import {
  openPayment,
  openOnboardedSite,
  openSite,
  provider,
  sharedOnboardedSite,
  until,
  type Payment,
} from '../practice.ts'
import type { Query, TestedSystem } from '../tested-system.ts'

const statuses = (payment: { History?: unknown }) =>
  (payment.History as { Status: string }[]).map(({ Status }) => Status)
const ended = (status: string) => (body: Record<string, unknown>) => statuses(body).at(-1) === status

async function payment(system: TestedSystem, SiteSlug: string, PaymentIdentifier: string): Promise<Payment> {
  return (await system.success('getPayment', { params: { SiteSlug, PaymentIdentifier } })) as unknown as Payment
}

export const paymentSuccesses: CaseGroup = {
  title: 'payments: successes',
  cases: [
    {
      title: 'A hosted payment returns every field as it was sent, the sum of its lines, and a page to pay at',
      shows: ['createPayment success', 'getPayment success'],
      needs: ['sandbox'],
      async run(system) {
        const { site } = await sharedOnboardedSite(system)
        const sent = { CustomerId: 'patient 7', Reference: 'INV-7/ä', StatementDescriptor: 'HARBOUR ST DENTAL' }
        const LineItems = [
          {
            Price: 4_500,
            Quantity: 2,
            ProductName: 'Check-up',
            ProductDescription: 'twice',
            TaxBehaviour: 'Inclusive',
          },
          { Price: 0, ProductName: 'Advice', TaxBehaviour: 'Unspecified' },
          { Price: 999, ProductName: 'Floss', TaxBehaviour: 'Exclusive' },
        ]
        const urls = { SuccessUrl: 'https://practice.example/thanks?p=1', CancelUrl: 'https://practice.example/back' }
        const more = { ...sent, ...urls, LineItems, FeeAmount: 120, UiMode: 'Hosted' }
        const created = await openPayment(system, site.SiteSlug, more)
        const { History, RecordId, PaymentId, CheckoutUrl, ExpiresAt, CardStatementText, ...rest } = created
        const amounts = { Amount: 9_999, FeeAmount: 120, TipAmount: 0 }
        const ours = { Status: 'Pending', RefundedAmount: 0, Refunds: [] }
        same(rest, { PaymentProvider: provider, Currency: 'GBP', ...sent, ...amounts, ...ours })
        match(String(CardStatementText), /^.{2,10}\* HARBOUR S/)
        same(statuses(created), ['Created', 'Pending'])
        for (const { Description } of History) ok(Description.length > 0, 'an entry without a description')
        ok(PaymentId.length > 0)
        ok((await fetch(CheckoutUrl ?? '')).ok, 'the page to pay at cannot be opened')
        ok(Date.parse(String(ExpiresAt)) > Date.now(), 'it has run out')
        same(await payment(system, site.SiteSlug, RecordId), created)
      },
    },
    {
      title: 'A payment without optional fields is hosted, has no fee and no tip, and no member without a value',
      shows: ['createPayment success'],
      needs: ['sandbox'],
      async run(system) {
        const { site } = await sharedOnboardedSite(system)
        const created = await openPayment(system, site.SiteSlug)
        same([created.Amount, created.FeeAmount, created['TipAmount']], [4_500, 0, 0])
        const members = Object.keys(created).toSorted()
        const wanted = [
          'Amount',
          'CheckoutUrl',
          'Currency',
          'ExpiresAt',
          'FeeAmount',
          'History',
          'PaymentId',
          'PaymentProvider',
        ]
        same(members, [...wanted, 'RecordId', 'RefundedAmount', 'Refunds', 'Status', 'TipAmount'])
      },
    },
    {
      title: "An embedded payment returns the values that the provider's front end needs, and no page",
      shows: ['createPayment success'],
      needs: ['sandbox'],
      async run(system) {
        const { site, account } = await sharedOnboardedSite(system)
        const created = await openPayment(system, site.SiteSlug, { UiMode: 'Embedded' })
        same(created.CheckoutUrl, undefined)
        same(created['ProviderAccountId'], account.externalAccountId)
        for (const name of ['ClientSecret', 'PublishableKey'])
          ok(typeof created[name] === 'string' && created[name] !== '', `no ${name}`)
        match(String(created['ExpiresAt']), /^\d{4}-/)
      },
    },
    {
      title: 'A paid payment is Completed, has a longer history, and can no longer be paid',
      shows: ['getPayment success', 'listPayments success'],
      needs: ['sandbox'],
      async run(system) {
        const { site } = await sharedOnboardedSite(system)
        const sent = { Reference: `PAID-${Date.now()}` }
        const created = await openPayment(system, site.SiteSlug, sent)
        await system.provider.atCheckout(created.PaymentId, 'pay')
        const params = { SiteSlug: site.SiteSlug, PaymentIdentifier: created.RecordId }
        const paid = (await until(system, 'getPayment', params, ended('Completed'))) as unknown as Payment
        same(paid.History.slice(0, 2), created.History)
        same(
          [paid.PaymentId, paid.Amount, paid.CheckoutUrl, paid['ExpiresAt']],
          [created.PaymentId, 4_500, undefined, undefined],
        )
        const query = { Reference: sent.Reference, Status: 'Completed', PaymentProvider: provider }
        const list = await system.success('listPayments', { params, query })
        same(list, { Items: [paid] })
      },
    },
    {
      title: 'A declined card leaves the payment open, and a final refusal makes it Failed',
      shows: ['getPayment success'],
      needs: ['sandbox'],
      async run(system) {
        const { site } = await sharedOnboardedSite(system)
        const created = await openPayment(system, site.SiteSlug)
        const params = { SiteSlug: site.SiteSlug, PaymentIdentifier: created.RecordId }
        await system.provider.atCheckout(created.PaymentId, 'decline')
        const declined = await until(system, 'getPayment', params, ended('Declined'))
        ok(declined['CheckoutUrl'] !== undefined, 'a declined payment can no longer be paid')
        await system.provider.atCheckout(created.PaymentId, 'fail')
        const failed = await until(system, 'getPayment', params, ended('Failed'))
        same(failed['CheckoutUrl'], undefined)
      },
    },
    {
      title: 'A payment whose money arrives later is Processing until then, and Completed afterwards',
      shows: ['getPayment success'],
      needs: ['sandbox'],
      async run(system) {
        const { site } = await sharedOnboardedSite(system)
        const created = await openPayment(system, site.SiteSlug)
        const params = { SiteSlug: site.SiteSlug, PaymentIdentifier: created.RecordId }
        await system.provider.atCheckout(created.PaymentId, 'delay')
        await until(system, 'getPayment', params, ended('Processing'))
        await system.provider.atCheckout(created.PaymentId, 'settle')
        const paid = await until(system, 'getPayment', params, ended('Completed'))
        same(statuses(paid), ['Created', 'Pending', 'Processing', 'Completed'])
      },
    },
    {
      title: 'Payments are listed newest first, page by page, by status, provider, reference and time',
      shows: ['listPayments success', 'listPayments Malformed Request'],
      needs: ['sandbox'],
      async run(system) {
        const { site } = await openOnboardedSite(system)
        const params = { SiteSlug: site.SiteSlug }
        const made: string[] = []
        for (const Reference of ['a', 'b', 'a', 'c', 'a'])
          made.unshift((await openPayment(system, site.SiteSlug, { Reference })).RecordId)
        const cancelled = { ...params, PaymentIdentifier: made[1] ?? '' }
        await system.success('cancelPayment', { params: cancelled })
        const list = async (query: Query) => {
          const body = await system.success('listPayments', { params, query })
          const { Items, NextPageToken } = body as { Items: Payment[]; NextPageToken?: string }
          return { ids: Items.map(({ RecordId }) => RecordId), NextPageToken }
        }
        const [e, d, c, b, a] = made
        const first = await list({ pageSize: 2 })
        const second = await list({ pageSize: 2, nextPageToken: first.NextPageToken })
        const third = await list({ pageSize: 2, nextPageToken: second.NextPageToken })
        same([first.ids, second.ids, third.ids, third.NextPageToken], [[e, d], [c, b], [a], undefined])
        same((await list({ Reference: 'a' })).ids, [e, c, a])
        same((await list({ Status: 'Cancelled' })).ids, [d])
        same((await list({ Status: ['Cancelled', 'Pending'], Reference: 'c' })).ids, [d])
        same((await list({ PaymentProvider: 'Stripe' })).ids, [])
        same((await list({ CreatedFrom: '2000-01-01T00:00:00Z', CreatedTo: '2000-01-02T00:00:00+01:00' })).ids, [])
        same((await list({ CreatedFrom: '2000-01-01T00:00:00Z' })).ids, made)
        const other = { Reference: 'a', nextPageToken: first.NextPageToken }
        isProblem(await system.call('listPayments', { params, query: other }), {
          status: 400,
          code: 'page_token_invalid',
        })
        for (const [name, value] of [
          ['Status', 'completed'],
          ['CreatedFrom', 'yesterday'],
          ['PaymentProvider', 'x'],
        ] as const) {
          const answer = await system.call('listPayments', { params, query: { [name]: value } })
          isProblem(answer, { status: 400, pointer: name === 'Status' ? '/query/Status/0' : `/query/${name}` })
        }
      },
    },
    {
      title: 'An open payment can be cancelled, and a paid one cannot',
      shows: ['cancelPayment success', 'cancelPayment Unprocessable'],
      needs: ['sandbox'],
      async run(system) {
        const { site } = await sharedOnboardedSite(system)
        const created = await openPayment(system, site.SiteSlug)
        const params = { SiteSlug: site.SiteSlug, PaymentIdentifier: created.RecordId }
        const cancelled = await system.success('cancelPayment', { params })
        same(statuses(cancelled), ['Created', 'Pending', 'Cancelled'])
        same(await payment(system, site.SiteSlug, created.RecordId), cancelled)

        const other = await openPayment(system, site.SiteSlug)
        const ofOther = { SiteSlug: site.SiteSlug, PaymentIdentifier: other.RecordId }
        await system.provider.atCheckout(other.PaymentId, 'pay')
        await until(system, 'getPayment', ofOther, ended('Completed'))
        isProblem(await system.call('cancelPayment', { params: ofOther }), {
          status: 422,
          code: 'payment_not_cancellable',
        })
      },
    },
    {
      title: 'A payment is not found through another site',
      shows: ['getPayment Not Found', 'cancelPayment Not Found'],
      needs: ['sandbox'],
      async run(system) {
        const { site } = await sharedOnboardedSite(system)
        const elsewhere = await openSite(system)
        const { RecordId } = await openPayment(system, site.SiteSlug)
        const params = { SiteSlug: elsewhere.SiteSlug, PaymentIdentifier: RecordId }
        for (const id of ['getPayment', 'cancelPayment'] as const)
          isProblem(await system.call(id, { params }), { status: 404, code: 'payment_not_found' })
        const upper = { SiteSlug: site.SiteSlug, PaymentIdentifier: RecordId.toUpperCase() }
        same((await system.success('getPayment', { params: upper }))['RecordId'], RecordId)
      },
    },
  ],
}
