import {
  operations,
  scopes,
  type AccountOnboarding,
  type OperationId,
  type PaymentCreation,
  type PaymentOfSite,
  type PaymentRecord,
  type RefundCreation,
  type RefundRecord,
  type SiteAccess,
} from '@frontdesk/contracts'
import { openBus } from '@frontdesk/events'
import { openInternalClient, type InternalClient } from '@frontdesk/service/calls'
import type { Running } from '@frontdesk/service/process'
import { openTokenIssuer, type Principal, type TokenIssuer } from '@frontdesk/service/tokens'
import { eventually } from '@frontdesk/testing'
import { openProviderFixture, type ProviderFixture, type SandboxWebhook } from '@frontdesk/testing/provider-fixture'
import { siteDeletedEvent } from '@frontdesk/testing/site-deleted'
import pg from 'pg'
import { pino } from 'pino'
import { v7 as uuidv7 } from 'uuid'
import { start } from '../src/start.ts'

export interface Answer {
  status: number
  /** A result or a problem: the test knows which. */
  body: PaymentOfSite &
    AccountOnboarding & { code: string; detail: string } & { Items: PaymentOfSite[]; NextPageToken?: string }
  /** As it was sent. */
  text: string
  headers: Headers
}

/** The reply of an operation on refunds. */
export interface RefundAnswer extends Omit<Answer, 'body'> {
  body: RefundRecord & { code: string; detail: string; Items: RefundRecord[]; NextPageToken?: string }
}

/** An envelope in the service's outbox. */
export interface SentEvent {
  type: string
  subject: string
  data: Record<string, unknown>
  [attribute: string]: unknown
}

export interface CallOptions {
  params?: Record<string, string>
  body?: unknown
  /** The Idempotency-Key. */
  key?: string
  /** Begins with its question mark. */
  query?: string
  /** The setting of the client that calls. Default: none. */
  refundsReturnFee?: boolean
  /** Rights of the client that calls, if they are others. Default: every scope, one system, all its organisations. */
  rights?: Partial<Pick<Principal, 'practiceManagementSystems' | 'organisations'>>
  accept?: string
  /** Base URL of the replica to call. Default: the service at its own address. */
  at?: string
}

/** The payments service in this process, with the real accounts service and the sandbox. The fixture acts as the gateway. */
export interface PaymentsFixture extends ProviderFixture {
  pool: pg.Pool
  /** The accounts service, a process of its own. */
  accounts: Awaited<ReturnType<ProviderFixture['spawn']>>
  /** Calls a public operation as the gateway would. */
  call(id: OperationId, site: SiteAccess, options?: CallOptions): Promise<Answer>
  create(site: SiteAccess, more?: Partial<PaymentCreation>, key?: string): Promise<Answer>
  get(site: SiteAccess, recordId: string): Promise<Answer>
  cancel(site: SiteAccess, recordId: string): Promise<Answer>
  refund(site: SiteAccess, recordId: string, body?: Partial<RefundCreation>, key?: string): Promise<RefundAnswer>
  /** A payment of 250.00 EUR, paid. */
  paid(site: SiteAccess, more?: Partial<PaymentCreation>): Promise<PaymentRecord>
  /** What the sandbox's ledger says about the refunds of a checkout, oldest first. */
  ledgerOf(paymentId: string | undefined): Promise<LedgerRefund[]>
  /** Has the sandbox do what it does with its faults: `{ refunds: { pending: { next: 1 } } }` leaves the next one pending. */
  setFaults(faults: object): Promise<void>
  internal(caller: 'gateway' | 'accounts'): InternalClient
  /** Passes a webhook on to its service, as the gateway does; returns the status for the provider. */
  pass(webhook: SandboxWebhook): Promise<number>
  /** The service in this process; stopped where a test runs it as a process of its own. */
  start(env?: Record<string, string>): Promise<void>
  stop(): Promise<void>
  /** A new site whose sandbox account can charge, and that account's identifier at the provider. */
  readySite(): Promise<SiteAccess & { externalAccountId: string }>
  /** Announces the deletion of a site, as the registry does. */
  deleteSite(site: SiteAccess): Promise<void>
  /** The events of a payment, in order. */
  eventsOf(recordId: string): Promise<SentEvent[]>
  /** Makes one payment older: its check is due, its last answer old. */
  makeDue(recordId: string): Promise<void>
}

export interface LedgerRefund {
  id: string
  refundId: string | null
  status: string
  amount: number
  feeReturned: number
}

let sites = 0

/** A site that nobody has used before. */
export function someSite(): SiteAccess {
  const slug = `s${process.pid}${Date.now().toString(36)}${++sites}`
  const organisation = `o${slug.slice(1)}`
  return {
    slug,
    name: 'Smile Dental',
    practiceManagementSystem: 'OpenDental',
    pmsSpecificId: `pms-${slug}`,
    owningOrganisation: organisation,
    billingOrganisation: `${organisation}b`,
    status: 'Operational',
    currency: 'EUR',
  }
}

export const checkup: PaymentCreation = {
  PaymentProvider: 'Sandbox',
  Currency: 'EUR',
  Reference: 'INV-1',
  LineItems: [{ Price: 12_500, Quantity: 2, ProductName: 'Check-up' }],
}

export const statusesOf = (answer: Answer): string[] => answer.body.History.map((entry) => entry.Status)

export async function openPaymentsFixture(): Promise<PaymentsFixture> {
  await using opened = new AsyncDisposableStack()
  const fixture = opened.use(await openProviderFixture())
  const urls = { accounts: fixture.url('accounts'), payments: fixture.url('payments') }
  const issuers = new Map<string, TokenIssuer>()
  const clients = new Map<string, InternalClient>()
  for (const name of ['gateway', 'accounts'] as const) {
    const issuer = openTokenIssuer(name, fixture.credentials.internalKeys(name))
    issuers.set(name, issuer)
    clients.set(name, opened.use(openInternalClient(issuer, urls)))
  }
  function internal(caller: string): InternalClient {
    const client = clients.get(caller)
    if (client === undefined) throw new Error(`no client of ${caller}`)
    return client
  }
  async function pass(webhook: SandboxWebhook): Promise<number> {
    const operation = webhook.for === 'accounts' ? 'receiveAccountWebhook' : 'receivePaymentWebhook'
    const headers = { 'stripe-signature': webhook.signature }
    await internal('gateway').call(operation, { Provider: 'Sandbox' }, { bytes: webhook.body, headers })
    return 200
  }
  fixture.onWebhook(pass)
  const pool = new pg.Pool({ connectionString: fixture.databaseUrl('payments') })
  // Tests cut the connections to the database.
  pool.on('error', () => {})
  opened.defer(() => pool.end())
  const log = pino({ level: process.env['TEST_LOG_LEVEL'] ?? 'silent' })
  const registry = opened.use(openBus({ settings: fixture.nats.settings('registry'), name: 'registry', log }))

  let running: Running | undefined
  async function stop(): Promise<void> {
    await running?.[Symbol.asyncDispose]()
    running = undefined
  }
  opened.defer(stop)
  async function startHere(env: Record<string, string> = {}): Promise<void> {
    running = await start({ env: { ...fixture.env('payments'), ...env }, log, signal: new AbortController().signal })
  }
  const accounts = await fixture.spawn('accounts')
  await startHere()

  const call: PaymentsFixture['call'] = async (id, site, options = {}) => {
    const { params = {}, body, key, query = '', refundsReturnFee, rights, accept, at } = options
    const operation = operations[id]
    const client = { id: 'client:test', scopes: [...scopes], practiceManagementSystems: ['OpenDental'] }
    const principal = { ...client, ...rights, ...(refundsReturnFee === undefined ? {} : { refundsReturnFee }) }
    const gateway = issuers.get('gateway')
    if (gateway === undefined) throw new Error('there is no key of the gateway')
    const token = await gateway.mint(operation.service, { principal, ...(operation.level === 'site' ? { site } : {}) })
    const named: Record<string, string> = { SiteSlug: site.slug, ...params }
    const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => named[name] ?? '')
    const sent = body === undefined ? undefined : Buffer.from(JSON.stringify(body))
    const headers = {
      authorization: `Bearer ${token}`,
      traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(key === undefined ? {} : { 'idempotency-key': key }),
      ...(accept === undefined ? {} : { accept }),
    }
    const { method } = operation
    const reply = await fetch(`${at ?? fixture.url(operation.service)}${path}${query}`, {
      method,
      headers: gateway.sign(operation.service, { method, path: `${path}${query}`, headers, body: sent }),
      ...(sent === undefined ? {} : { body: sent }),
    })
    const text = await reply.text()
    const isJson = reply.headers.get('content-type')?.includes('json') === true
    return {
      status: reply.status,
      body: (isJson ? JSON.parse(text) : {}) as Answer['body'],
      text,
      headers: reply.headers,
    }
  }

  const create: PaymentsFixture['create'] = (site, more = {}, key) =>
    call('createPayment', site, { body: { ...checkup, ...more }, ...(key && { key }) })
  const get: PaymentsFixture['get'] = (site, recordId) =>
    call('getPayment', site, { params: { PaymentIdentifier: recordId } })
  const owned = opened.move()
  return {
    ...fixture,
    pool,
    accounts,
    start: startHere,
    stop,
    pass,
    internal,
    call,
    create,
    get,
    async refund(site, recordId, body = {}, key) {
      const params = { PaymentIdentifier: recordId }
      const answer: unknown = await call('createRefund', site, { params, body, ...(key && { key }) })
      return answer as RefundAnswer
    },
    async ledgerOf(paymentId) {
      const ledger: unknown = await (await fetch(`${fixture.url('sandbox-provider')}/_control/ledger`)).json()
      const { checkouts } = ledger as { checkouts: { paymentId: string; charges: { refunds: LedgerRefund[] }[] }[] }
      const found = checkouts.find((checkout) => checkout.paymentId === paymentId)
      return found?.charges.flatMap(({ refunds }) => refunds) ?? []
    },
    async setFaults(faults) {
      const url = `${fixture.url('sandbox-provider')}/_control/faults`
      const headers = { 'content-type': 'application/json' }
      const { ok, status } = await fetch(url, { method: 'POST', headers, body: JSON.stringify(faults) })
      if (!ok) throw new Error(`the sandbox refused its faults: ${status}`)
    },
    async paid(site, more) {
      const { body } = await create(site, more)
      await fixture.control(`checkouts/${body.PaymentId}/pay`)
      return eventually(async () => {
        const { body: now } = await get(site, body.RecordId)
        if (now.Status !== 'Completed') throw new Error(`the payment is ${now.Status}`)
        return now
      })
    },
    cancel: (site, recordId) => call('cancelPayment', site, { params: { PaymentIdentifier: recordId } }),
    async readySite() {
      const site = someSite()
      const created = await call('createAccount', site, { body: { paymentProvider: 'Sandbox' } })
      const externalAccountId = String(created.body.account.externalAccountId)
      await fixture.control(`accounts/${externalAccountId}/complete`)
      const ready = `select 1 from account_copies where site_slug = $1 and status = 'Active'`
      await eventually(async () => {
        const copy = await pool.query(ready, [site.slug])
        if (copy.rowCount !== 1) throw new Error('the copy of the account is not there yet')
      })
      return { ...site, externalAccountId }
    },
    async deleteSite(site) {
      const event = siteDeletedEvent(site, fixture.url('gateway'))
      const js = await registry.jetstream()
      await js.publish(event.subject, event.payload, { msgID: event.id })
    },
    async eventsOf(recordId) {
      const result = await pool.query<{ payload: Buffer }>(
        `select payload from outbox where aggregate_type = 'payment' and aggregate_id = $1 order by aggregate_version`,
        [recordId],
      )
      return result.rows.map((row) => JSON.parse(row.payload.toString('utf8')) as SentEvent)
    },
    async makeDue(recordId) {
      await pool.query(
        `update payments set next_check_at = now(), checked_at = now() - interval '1 hour',
                created_at = created_at - interval '61 seconds' where id = $1`,
        [recordId],
      )
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

export const newKey = (): string => uuidv7()
