import Stripe from 'stripe'
import { isProviderError, ProviderMisconfigured, ProviderRefused } from '../errors.ts'
import type { SetupFinding } from '../setup.ts'
import type { SdkCall } from './sdk.ts'

/** A permission of a restricted key, by its name in Stripe's dashboard, and a request that needs it. */
interface Permission {
  name: string
  level: 'Read' | 'Write'
  /** The work that fails without it. */
  for: string
  /** Whether the key needs it for connected accounts, a column of its own in the dashboard. */
  connected: boolean
  /** Whether the services do without it. */
  isOptional?: true
  ask(stripe: Stripe, options: Stripe.RequestOptions): Promise<unknown>
}

/** Stripe refuses a request with an unknown parameter, so that one which asks about a permission has no effect. */
const refused = { only_asks_about_permissions: 'true' } as never

/** The permissions that our calls need. */
export const permissions: readonly Permission[] = [
  {
    name: 'Checkout Sessions',
    level: 'Write',
    for: 'payments',
    connected: true,
    ask: (stripe, options) => stripe.checkout.sessions.create(refused, options),
  },
  {
    name: 'PaymentIntents',
    level: 'Read',
    for: 'the state of a payment',
    connected: true,
    ask: (stripe, options) => stripe.paymentIntents.list({ limit: 1 }, options),
  },
  {
    name: 'Charges and Refunds',
    level: 'Write',
    for: 'refunds, and the state of a payment',
    connected: true,
    ask: (stripe, options) => stripe.refunds.create(refused, options),
  },
  {
    name: 'Disputes',
    level: 'Read',
    for: 'the state of a dispute',
    connected: true,
    ask: (stripe, options) => stripe.disputes.list({ limit: 1 }, options),
  },
  {
    name: 'Application Fees',
    level: 'Write',
    for: 'payments with a fee, and refunds that give it back',
    connected: false,
    ask: (stripe, options) => stripe.applicationFees.list({ limit: 1 }, options),
  },
  {
    name: 'Accounts',
    level: 'Write',
    for: 'opening, reading and deleting accounts of practices',
    connected: false,
    ask: (stripe, options) => stripe.accounts.create(refused, options),
  },
  {
    name: 'Account Sessions',
    level: 'Write',
    for: 'the onboarding in a page of a practice management system',
    connected: false,
    ask: (stripe, options) => stripe.accountSessions.create(refused, options),
  },
  {
    name: 'Account Links',
    level: 'Write',
    for: 'the onboarding at Stripe',
    connected: false,
    ask: (stripe, options) => stripe.accountLinks.create(refused, options),
  },
  {
    name: 'Webhook Endpoints',
    level: 'Read',
    for: 'this check only',
    connected: false,
    isOptional: true,
    ask: (stripe, options) => stripe.webhookEndpoints.list({ limit: 1 }, options),
  },
]

/**
 * Asks with one request for each permission whether the key has it. Those of connected accounts need one to ask about.
 * Reads read one object, writes are requests that Stripe refuses.
 */
export async function checkPermissions(
  stripe: Stripe,
  call: SdkCall,
  account: string | undefined,
): Promise<SetupFinding[]> {
  const findings = await Promise.all(
    permissions.map((permission) => checkPermission(stripe, call, account, permission)),
  )
  const bad = findings.filter((one) => one !== undefined)
  const skipped = permissions.filter(({ connected }) => connected && account === undefined)
  if (skipped.length > 0) {
    const names = skipped.map(({ name }) => name).join(', ')
    const text = `no account of a practice is known yet: those for connected accounts (${names}) were not checked`
    bad.push({ level: 'warning', about: 'permissions', text })
  }
  const given = permissions.length - skipped.length
  return bad.length > 0
    ? bad
    : [{ level: 'ok', about: 'permissions', text: `the key has all ${given} that are needed` }]
}

async function checkPermission(
  stripe: Stripe,
  call: SdkCall,
  account: string | undefined,
  { name, level, for: purpose, connected, isOptional, ask }: Permission,
): Promise<SetupFinding | undefined> {
  if (connected && account === undefined) return undefined
  const options = { harmless: true, ...(connected && account !== undefined && { account }) }
  const about = 'permissions'
  try {
    await call('checkSetup', options, (request) => ask(stripe, request))
  } catch (error) {
    if (!isProviderError(error)) throw error
    if (error instanceof ProviderRefused) {
      if (error.reason !== 'account_invalid') return undefined
      const text = `${account} cannot be reached, so "${name}" was not checked: ${error.message}`
      return { level: 'warning', about, text }
    }
    const words = error.cause instanceof Stripe.errors.StripeError ? error.cause.message : error.message
    if (!(error instanceof ProviderMisconfigured)) return { level: 'fault', about, text: `cannot be checked: ${words}` }
    const where = connected ? ', for connected accounts' : ''
    return {
      level: isOptional ? 'warning' : 'fault',
      about,
      text: `the key lacks "${name}" (${level}${where}) for ${purpose}: ${words}`,
    }
  }
  return undefined
}
