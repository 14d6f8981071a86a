import {
  operations,
  scopes,
  type AccountOnboarding,
  type OperationId,
  type PaymentProviderAccount,
  type PaymentRecord,
  type SiteAccess,
} from '@frontdesk/contracts'
import { openBus } from '@frontdesk/events'
import { openInternalClient, type InternalClient } from '@frontdesk/service/calls'
import { openTokenIssuer, type TokenIssuer } from '@frontdesk/service/tokens'
import { clockOffset } from '@frontdesk/testing/clock-offset'
import { openProviderFixture, type ProviderFixture, type SandboxWebhook } from '@frontdesk/testing/provider-fixture'
import { siteDeletedEvent } from '@frontdesk/testing/site-deleted'
import pg from 'pg'
import { pino } from 'pino'
import { v7 as uuidv7 } from 'uuid'
import { start } from '../src/start.ts'

export interface Answer {
  status: number
  /** The body of a success or of a problem. */
  body: AccountOnboarding & PaymentProviderAccount & PaymentRecord & { code: string }
  headers: Headers
}

export interface CallOptions {
  params?: Record<string, string>
  body?: unknown
  /** The Idempotency-Key. */
  key?: string
}

/** The running accounts service, with a stand-in for the gateway. */
export interface AccountsFixture extends ProviderFixture {
  pool: pg.Pool
  /** Calls a public operation as the gateway does. */
  call(id: OperationId, site: SiteAccess, options?: CallOptions): Promise<Answer>
  /** Returns a client for internal operations, as another service has it. */
  internal(caller: 'gateway' | 'payments'): ReturnType<typeof openInternalClient>
  /** Forwards a webhook, as the gateway does. */
  pass(webhook: Pick<SandboxWebhook, 'body' | 'signature'>): Promise<unknown>
  /** Publishes the deletion of a site, as the registry does. */
  deleteSite(site: SiteAccess): Promise<void>
  /** Returns the types of an account's events, in order. */
  eventsOf(accountId: string): Promise<string[]>
}

let sites = 0

/** Returns a site that no other test uses. */
export function someSite(): SiteAccess {
  const slug = `s${process.pid}${Date.now().toString(36)}${++sites}`
  const organisation = `o${slug.slice(1)}`
  return {
    slug,
    name: 'Smile Dental',
    practiceManagementSystem: 'OpenDental',
    pmsSpecificId: slug,
    owningOrganisation: organisation,
    billingOrganisation: organisation,
    status: 'Operational',
    currency: 'EUR',
    country: 'IE',
  }
}

/** Starts accounts in this process or, if its wall clock is to be wrong, in one of its own. */
export async function openAccountsFixture(options: { clockOffsetMs?: number } = {}): Promise<AccountsFixture> {
  await using opened = new AsyncDisposableStack()
  const fixture = opened.use(await openProviderFixture())
  const urls = { accounts: fixture.url('accounts'), payments: fixture.url('payments') }
  const issuers = new Map<string, TokenIssuer>()
  const clients = new Map<string, InternalClient>()
  for (const name of ['gateway', 'payments'] as const) {
    const issuer = openTokenIssuer(name, fixture.credentials.internalKeys(name))
    issuers.set(name, issuer)
    clients.set(name, opened.use(openInternalClient(issuer, urls)))
  }
  function internal(caller: string): InternalClient {
    const client = clients.get(caller)
    if (client === undefined) throw new Error(`no client of ${caller}`)
    return client
  }
  const pass: AccountsFixture['pass'] = ({ body, signature }) =>
    internal('gateway').call(
      'receiveAccountWebhook',
      { Provider: 'Sandbox' },
      { bytes: body, headers: { 'stripe-signature': signature } },
    )
  fixture.onWebhook(async (webhook) => {
    if (webhook.for === 'accounts') await pass(webhook)
    return 200
  })
  const pool = new pg.Pool({ connectionString: fixture.databaseUrl('accounts') })
  opened.defer(() => pool.end())
  const log = pino({ level: process.env['TEST_LOG_LEVEL'] ?? 'silent' })
  if (options.clockOffsetMs === undefined)
    opened.use(await start({ env: fixture.env('accounts'), log, signal: new AbortController().signal }))
  else await fixture.spawn('accounts', clockOffset(options.clockOffsetMs))
  const registry = opened.use(openBus({ settings: fixture.nats.settings('registry'), name: 'registry', log }))

  const owned = opened.move()
  return {
    ...fixture,
    pool,
    internal,
    pass,
    async call(id, site, { params = {}, body, key } = {}) {
      const operation = operations[id]
      const principal = { id: 'client:test', scopes: [...scopes], practiceManagementSystems: ['OpenDental'] }
      const gateway = issuers.get('gateway')
      if (gateway === undefined) throw new Error('there is no key of the gateway')
      const token = await gateway.mint(operation.service, { principal, site })
      const named = { SiteSlug: site.slug, ...params }
      const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: keyof typeof named) => named[name])
      const sent = body === undefined ? undefined : Buffer.from(JSON.stringify(body))
      const headers = {
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(key === undefined ? {} : { 'idempotency-key': key }),
      }
      const { method } = operation
      const reply = await fetch(`${fixture.url(operation.service)}${path}`, {
        method,
        headers: gateway.sign(operation.service, { method, path, headers, body: sent }),
        ...(sent === undefined ? {} : { body: sent }),
      })
      return { status: reply.status, body: (await reply.json()) as Answer['body'], headers: reply.headers }
    },
    async deleteSite(site) {
      const event = siteDeletedEvent(site, fixture.url('gateway'))
      const js = await registry.jetstream()
      await js.publish(event.subject, event.payload, { msgID: event.id })
    },
    async eventsOf(accountId) {
      const result = await pool.query<{ type: string }>(
        `select headers ->> 'x-event-type' as type from outbox
          where aggregate_type = 'account' and aggregate_id = $1 order by aggregate_version`,
        [accountId],
      )
      return result.rows.map((row) => row.type)
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

export const newKey = (): string => uuidv7()
