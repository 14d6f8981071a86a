import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { CaseGroup } from '../case.ts'
import { ensure, isProblem, isSuccess } from '../check.ts'
import type { ProblemCode } from '@frontdesk/problems'
import {
  onboard,
  openPayment,
  openOnboardedSite,
  openSite,
  paymentBody,
  sharedOnboardedSite,
  sharedSite,
  until,
} from '../practice.ts'
import { foreignSite } from './refusals.ts'

type Body = Record<string, unknown>

/** The refusals by rules (422), for every operation that has a rule. */
export const rules: CaseGroup = {
  title: 'rules',
  cases: [
    {
      title: 'A site cannot join an organisation that does not exist',
      shows: ['createSite Unprocessable'],
      async run(system) {
        for (const name of ['OwningOrganisationSlug', 'BillingOrganisationSlug'])
          for (const slug of ['oUnknown0001', 'sUnknown0001', `o${'x'.repeat(40)}`]) {
            const answer = await system.call('createSite', { body: { Name: 'x', [name]: slug } })
            isProblem(answer, { status: 422, code: 'organisation_unknown', pointer: `/${name}` })
          }
      },
    },
    {
      title: "A site cannot join another system's organisation",
      shows: ['createSite Unprocessable'],
      needs: ['several systems'],
      async run(system) {
        const theirs = await foreignSite(system)
        for (const name of ['OwningOrganisationSlug', 'BillingOrganisationSlug']) {
          const answer = await system.call('createSite', { body: { Name: 'x', [name]: theirs.OwningOrganisationSlug } })
          isProblem(answer, { status: 422, code: 'organisation_unknown' })
        }
      },
    },
    {
      title: 'A payment without line items, or with a total that is too small or too large, is refused',
      shows: ['createPayment Unprocessable'],
      needs: ['sandbox'],
      async run(system) {
        const { site } = await sharedOnboardedSite(system)
        const priced = (Price: number, Quantity = 1) => ({ LineItems: [{ ProductName: 'x', Price, Quantity }] })
        const refused: readonly (readonly [Body, ProblemCode])[] = [
          [{ LineItems: undefined }, 'line_items_required'],
          [{ LineItems: [] }, 'line_items_required'],
          [priced(0), 'amount_too_small'],
          [priced(29), 'amount_too_small'],
          [{ Currency: 'XAU' }, 'currency_unsupported'],
          [priced(100_000_000), 'amount_too_large'],
          [priced(50_000_000, 2), 'amount_too_large'],
          [priced(Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER), 'amount_too_large'],
        ]
        for (const [fields, code] of refused) {
          const call = { params: { SiteSlug: site.SiteSlug }, body: paymentBody(fields) }
          isProblem(await system.call('createPayment', call), { status: 422, code })
        }
        const most = await openPayment(system, site.SiteSlug, priced(99_999_999))
        if (most.Amount !== 99_999_999) throw new Error(`the most is ${most.Amount}`)
      },
    },
    {
      title: 'Characters that the provider refuses in a statement descriptor are refused',
      shows: ['createPayment Unprocessable'],
      needs: ['sandbox'],
      async run(system) {
        const { site } = await sharedOnboardedSite(system)
        for (const StatementDescriptor of ['A<B', 'A>B', 'A\\B', "A'B", 'A"B', 'A*B', '12345', 'ЗУБЫ']) {
          const call = { params: { SiteSlug: site.SiteSlug }, body: paymentBody({ StatementDescriptor }) }
          isProblem(await system.call('createPayment', call), { status: 422, code: 'statement_descriptor_refused' })
        }
      },
    },
    {
      title: 'A known provider that is not configured is refused, for payments and for accounts',
      shows: ['createPayment Unprocessable', 'createAccount Unprocessable'],
      // A real provider, if configured, would get an account.
      needs: ['sandbox'],
      async run(system) {
        const params = { SiteSlug: (await sharedSite(system)).SiteSlug }
        const body = { paymentProvider: 'Stripe' }
        const expected = { status: 422, code: 'provider_not_available' } as const
        isProblem(await system.call('createAccount', { params, body }), expected)
        isProblem(
          await system.call('createPayment', { params, body: paymentBody({ PaymentProvider: 'Stripe' }) }),
          expected,
        )
      },
    },
    {
      title: 'A payment at a site without an account is refused',
      shows: ['createPayment Unprocessable'],
      async run(system) {
        const params = { SiteSlug: (await sharedSite(system)).SiteSlug }
        isProblem(await system.call('createPayment', { params, body: paymentBody() }), { status: 422 })
      },
    },
    {
      title: 'A payment needs an account that can charge',
      shows: ['createPayment Unprocessable'],
      needs: ['sandbox'],
      async run(system) {
        const { SiteSlug } = await openSite(system)
        const params = { SiteSlug }
        const refused = { status: 422, code: 'provider_account_not_ready' } as const
        isProblem(await system.call('createPayment', { params, body: paymentBody() }), refused)
        const body = { paymentProvider: 'Sandbox' }
        await system.success('createAccount', { params, body }, 201)
        isProblem(await system.call('createPayment', { params, body: paymentBody() }), refused)
        await onboard(system, SiteSlug)
        await openPayment(system, SiteSlug)
      },
    },
    {
      title: 'A restricted account can charge, and a rejected one cannot',
      shows: ['createPayment Unprocessable', 'getAccount success'],
      needs: ['sandbox'],
      async run(system) {
        const { site, account } = await openOnboardedSite(system)
        const params = { SiteSlug: site.SiteSlug, AccountId: account.accountId }
        const becomes = async (action: string, status: string) => {
          await system.provider.control(`accounts/${account.externalAccountId}/${action}`)
          await until(system, 'getAccount', params, (body) => body['status'] === status)
        }
        await becomes('restrict', 'Restricted')
        await openPayment(system, site.SiteSlug)
        await becomes('reject', 'Rejected')
        const deadline = Date.now() + 10_000
        for (;;) {
          // The change reaches payments a moment after accounts. Until then the provider itself refuses.
          const answer = await system.call('createPayment', { params, body: paymentBody() })
          const isRefusedByUs = answer.status === 422 && (answer.body as Body)['code'] !== 'provider_rejected'
          if (isRefusedByUs) return isProblem(answer, { status: 422, code: 'provider_account_not_ready' })
          ensure(Date.now() < deadline, answer, 'a rejected account still charges')
          await wait(100)
        }
      },
    },
    {
      title: 'A suspended site takes no payments, and takes them again as soon as it is operational',
      shows: ['createPayment Unprocessable'],
      needs: ['sandbox'],
      async run(system) {
        const { site } = await openOnboardedSite(system)
        const change = (SiteStatus: string) =>
          system.call('changeSite', { params: { SiteIdentifier: site.SiteSlug }, body: { SiteStatus } })
        const params = { SiteSlug: site.SiteSlug }
        isSuccess(await change('Suspended'), 'changeSite', 200)
        const suspended = await system.call('createPayment', { params, body: paymentBody() })
        isProblem(suspended, { status: 422, code: 'site_suspended' })
        isSuccess(await change('Operational'), 'changeSite', 200)
        await openPayment(system, site.SiteSlug)
      },
    },
    {
      title: 'An account with an open payment cannot be deleted until the payment is cancelled',
      shows: ['deleteAccount Unprocessable'],
      needs: ['sandbox'],
      async run(system) {
        const { site, account } = await openOnboardedSite(system)
        const { RecordId } = await openPayment(system, site.SiteSlug)
        const params = { SiteSlug: site.SiteSlug, AccountId: account.accountId }
        const open = await system.call('deleteAccount', { params })
        isProblem(open, { status: 422, code: 'account_has_open_payments' })
        const ofPayment = { SiteSlug: site.SiteSlug, PaymentIdentifier: RecordId }
        await system.success('cancelPayment', { params: ofPayment })
        await system.success('deleteAccount', { params })
      },
    },
    {
      title: 'An unknown event type and reserved headers are refused',
      shows: ['subscribe Unprocessable'],
      async run(system) {
        const { SiteSlug } = await sharedSite(system)
        const Url = 'https://subscriber.example/hook'
        const header = (Name: string) => ({ EventTypes: ['payment.*'], Url, Headers: [{ Name, Value: 'v' }] })
        const unknown = [
          'payment.created',
          'payment.settled',
          'refund.created',
          'dispute.lost',
          'site.*',
          'payment.',
          'payment.succeeded.*',
          '*',
          'PaymentSucceeded',
          'payment_succeeded',
          'Payment.Succeeded',
          'payment',
          'site.deleted',
          'subscription.test',
        ]
        const reserved = ['webhook-id', 'Webhook-Signature', 'content-type', 'Content-Length', 'host', 'Connection']
        const refused: readonly (readonly [Body, ProblemCode])[] = [
          ...unknown.map((type) => [{ EventTypes: ['payment.succeeded', type], Url }, 'event_type_unknown'] as const),
          ...[...reserved, 'traceparent', 'Transfer-Encoding', 'TE'].map(
            (name) => [header(name), 'webhook_header_refused'] as const,
          ),
        ]
        for (const [body, code] of refused) {
          const answer = await system.call('subscribe', { params: { SiteSlug }, body })
          isProblem(answer, { status: 422, code })
        }
      },
    },
    {
      title: 'A subscription without an address is refused if neither its client nor the site has one',
      shows: ['subscribe Unprocessable'],
      async run(system) {
        const { SiteSlug, keys } = await openSite(system)
        await system.success('changeSite', { params: { SiteIdentifier: SiteSlug }, body: { WebhookUrl: null } })
        const as = { siteKey: keys.PrimaryKey }
        const answer = await system.call('subscribe', { params: { SiteSlug }, body: { EventTypes: ['payment.*'] }, as })
        isProblem(answer, { status: 422, code: 'webhook_url_missing', pointer: '/Url' })
      },
    },
    {
      title: 'An Idempotency-Key that was used for another request is refused',
      shows: ['recoverDeliveries Unprocessable', 'subscribe Unprocessable'],
      async run(system) {
        const params = { SiteSlug: (await openSite(system)).SiteSlug }
        const headers = { 'idempotency-key': randomUUID() }
        const reused = { status: 422, code: 'idempotency_key_reused' } as const
        const subscription = (Url: string) => ({ body: { EventTypes: ['payment.*'], Url } })
        await system.success('subscribe', { params, headers, ...subscription('https://a.example/') }, 201)
        isProblem(await system.call('subscribe', { params, headers, ...subscription('https://b.example/') }), reused)
        const since = (ago: number) => ({ body: { Since: new Date(Date.now() - ago).toISOString() } })
        await system.success('recoverDeliveries', { params, headers, ...since(1_000) })
        isProblem(await system.call('recoverDeliveries', { params, headers, ...since(2_000) }), reused)
      },
    },
  ],
}
