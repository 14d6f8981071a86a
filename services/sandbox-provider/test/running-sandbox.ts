import { throwAwayDatabase } from '@frontdesk/testing'
import { pino } from 'pino'
import Stripe from 'stripe'
import type { LedgerEntry } from '../src/control/store.ts'
import type { FaultSettings } from '../src/faults/settings.ts'
import { start } from '../src/start.ts'

export const secretKey = 'sk_test_of_a_test'
export const webhookSecret = 'whsec_of_a_test'

/** A sandbox with its own database, for tests. */
export interface RunningSandbox extends AsyncDisposable {
  url: string
  /** As the administrator of Postgres. */
  databaseUrl: string
  stripe: Stripe
  /** Calls the control API below `/_control/`. */
  control: (path: string) => Promise<Response>
  /** Replaces the fault settings, and returns the status of the answer. */
  setFaults: (settings: FaultSettings) => Promise<number>
  /** Returns the ledger's entry of a session. */
  ledgerOf: (session: string) => Promise<LedgerEntry | undefined>
  /** Stops the sandbox and starts another one on the same database. The port changes. */
  restart: (env?: Record<string, string>) => Promise<void>
}

/** Starts a sandbox; `env` adds to its environment. */
export async function runSandbox(env: Record<string, string> = {}): Promise<RunningSandbox> {
  const database = await throwAwayDatabase('sandbox-provider')
  const log = pino({ level: 'silent' })
  const run = (more: Record<string, string>) =>
    start({
      env: {
        FRONTDESK_MODE: 'development',
        SANDBOX_PROVIDER_DATABASE_URL: database.runtimeUrl,
        SANDBOX_SECRET_KEY: secretKey,
        SANDBOX_WEBHOOK_SECRET: webhookSecret,
        ...env,
        ...more,
      },
      log,
      signal: new AbortController().signal,
    })
  let running = await run({})
  const sandbox: RunningSandbox = {
    url: running.url,
    databaseUrl: database.url,
    stripe: stripeAt(running.url),
    control: (path) => fetch(`${running.url}/_control/${path}`, { method: 'POST' }),
    async setFaults(settings) {
      const headers = { 'content-type': 'application/json' }
      const body = JSON.stringify(settings)
      return (await fetch(`${running.url}/_control/faults`, { method: 'POST', headers, body })).status
    },
    async ledgerOf(session) {
      const reply = await fetch(`${running.url}/_control/ledger`)
      const { checkouts } = (await reply.json()) as { checkouts: LedgerEntry[] }
      return checkouts.find(({ paymentId }) => paymentId === session)
    },
    async restart(more = {}) {
      await running[Symbol.asyncDispose]()
      running = await run(more)
      sandbox.url = running.url
      sandbox.stripe = stripeAt(running.url)
    },
    async [Symbol.asyncDispose]() {
      await running[Symbol.asyncDispose]()
      await database[Symbol.asyncDispose]()
    },
  }
  return sandbox
}

/** Returns Stripe's own client for the sandbox, without retries, so that a test sees every answer. */
export function stripeAt(url: string, key: string = secretKey): Stripe {
  const { hostname, port } = new URL(url)
  return new Stripe(key, { host: hostname, port, protocol: 'http', maxNetworkRetries: 0, telemetry: false })
}

/** Creates a connected account as Frontdesk does, and returns its id. It can charge unless `onboarded` is false. */
export async function makeAccount(
  sandbox: Pick<RunningSandbox, 'control' | 'stripe'>,
  { onboarded = true, ...changes }: Stripe.AccountCreateParams & { onboarded?: boolean } = {},
): Promise<string> {
  const account = await sandbox.stripe.accounts.create({
    controller: {
      fees: { payer: 'application' },
      losses: { payments: 'application' },
      stripe_dashboard: { type: 'express' },
      requirement_collection: 'stripe',
    },
    country: 'NZ',
    email: 'front@harbour.example',
    default_currency: 'nzd',
    business_profile: { name: 'Harbour Street Dental', support_phone: '+64 9 555 0100' },
    capabilities: { card_payments: { requested: true }, transfers: { requested: true } },
    settings: {
      payments: { statement_descriptor: 'HARBOUR STREET DENTAL' },
      card_payments: { statement_descriptor_prefix: 'HARBOUR ST' },
    },
    ...changes,
  })
  if (onboarded) await sandbox.control(`accounts/${account.id}/complete`)
  return account.id
}

/** Returns the parameters of a hosted session as Frontdesk sends them: one item at 65.00 and two at 92.50. */
export function hostedSession(
  changes: Partial<Stripe.Checkout.SessionCreateParams> = {},
): Stripe.Checkout.SessionCreateParams {
  return {
    mode: 'payment',
    ui_mode: 'hosted_page',
    line_items: [lineItem('Examination and X-rays', 6_500, 1), lineItem('White filling, one surface', 9_250, 2)],
    client_reference_id: '01938f0e-0000-7000-8000-000000000001',
    metadata: { recordId: '01938f0e-0000-7000-8000-000000000001' },
    success_url: 'https://practice.example/paid?session={CHECKOUT_SESSION_ID}',
    cancel_url: 'https://practice.example/back',
    adaptive_pricing: { enabled: false },
    automatic_tax: { enabled: false },
    payment_intent_data: {
      application_fee_amount: 250,
      statement_descriptor_suffix: 'INV 1001',
      description: 'INV-1001',
      metadata: { recordId: '01938f0e-0000-7000-8000-000000000001' },
    },
    ...changes,
  }
}

/** Returns the parameters of an embedded session. */
export function embeddedSession(
  changes: Partial<Stripe.Checkout.SessionCreateParams> = {},
): Stripe.Checkout.SessionCreateParams {
  const { success_url: _success, cancel_url: _cancel, ...shared } = hostedSession()
  return { ...shared, ui_mode: 'embedded_page', redirect_on_completion: 'never', ...changes }
}

export function lineItem(
  name: string,
  amount: number,
  quantity: number,
  currency = 'nzd',
): NonNullable<Stripe.Checkout.SessionCreateParams['line_items']>[number] {
  return {
    quantity,
    price_data: { currency, unit_amount: amount, tax_behavior: 'inclusive', product_data: { name } },
  }
}

/** Returns the error of a refused call. */
export async function refusal(call: Promise<unknown>): Promise<Stripe.errors.StripeError> {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (error instanceof Stripe.errors.StripeError) return error
  throw new Error('the call was not refused by the provider', { cause: error })
}
