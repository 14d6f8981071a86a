import Stripe from 'stripe'
import { isProviderError, ProviderRefused } from '../errors.ts'
import type { OwnSetup, SetupFinding } from '../setup.ts'
import type { StripeSettings } from './adapter.ts'
import { eventTypes, type Receiver } from './event-types.ts'
import { checkPermissions } from './permissions.ts'
import type { SdkCall } from './sdk.ts'

type Level = SetupFinding['level']
const finding =
  (level: Level) =>
  (about: string, text: string): SetupFinding => ({ level, about, text })
const ok = finding('ok')
const warning = finding('warning')
const fault = finding('fault')

/** Compares keys, platform account, webhook endpoints and permissions at Stripe with what we need. Changes nothing there. */
export async function checkSetup(
  stripe: Stripe,
  call: SdkCall,
  settings: StripeSettings,
  own: OwnSetup,
): Promise<SetupFinding[]> {
  const keys = checkKeys(settings)
  const account = await asked('account', async () =>
    checkPlatform(
      await call('checkSetup', { harmless: true }, (options) => stripe.accounts.retrieveCurrent({}, options)),
    ),
  )
  // Without a working key every other answer would say the same.
  if (account.some(({ level, about }) => level === 'fault' && about === 'account')) return [...keys, ...account]
  const [endpoints, permissions] = await Promise.all([
    asked('webhooks', async () => checkEndpoints(await listEndpoints(stripe, call), settings, own)),
    checkPermissions(stripe, call, own.accounts[0]),
  ])
  return [...keys, ...account, ...endpoints, ...permissions]
}

/** Checks what the keys say by themselves. */
export function checkKeys({ secretKey, publishableKey, webhookSecrets }: StripeSettings): SetupFinding[] {
  const secret = /^(sk|rk)_(?:org_)?(live|test)_/.exec(secretKey)
  const publishable = /^pk_(live|test)_/.exec(publishableKey)
  const findings: SetupFinding[] = []
  if (secret === null) findings.push(fault('secret key', 'begins neither with sk_ nor with rk_, and test_ or live_'))
  else {
    const [, kind, mode] = secret
    const meaning = mode === 'live' ? 'live mode, which moves real money' : 'test mode'
    findings.push(ok('secret key', `${kind === 'rk' ? 'a restricted key' : 'a full key'} of ${meaning}`))
    if (kind === 'sk' && mode === 'live') {
      findings.push(warning('secret key', 'a restricted key (rk_live_) would limit what a leak can do'))
    }
  }
  if (publishable === null) findings.push(fault('publishable key', 'does not begin with pk_test_ or pk_live_'))
  else if (secret !== null && publishable[1] !== secret[2]) {
    findings.push(fault('publishable key', `is of ${publishable[1]} mode, the secret key of ${secret[2]} mode`))
  } else findings.push(ok('publishable key', `of ${publishable[1]} mode`))
  const odd = webhookSecrets.filter((one) => !one.startsWith('whsec_')).length
  if (webhookSecrets.length === 0) findings.push(fault('webhook secrets', 'there are none: each webhook is refused'))
  else if (odd > 0)
    findings.push(fault('webhook secrets', `${odd} of ${webhookSecrets.length} do not begin with whsec_`))
  else findings.push(ok('webhook secrets', `${webhookSecrets.length}; only a webhook shows whether they are right`))
  return findings
}

/** The members of Stripe's account of the platform that are looked at. */
export type Platform = Pick<Stripe.Account, 'id' | 'country' | 'charges_enabled' | 'details_submitted'> & {
  capabilities?: Stripe.Account.Capabilities | undefined
}

/** Checks the account of the platform itself. */
export function checkPlatform(account: Platform): SetupFinding[] {
  const findings = [ok('account', `the key works for ${account.id}, a platform in ${account.country ?? 'no country'}`)]
  if (account.details_submitted && account.charges_enabled) {
    findings.push(ok('platform', 'is activated'))
  } else {
    findings.push(warning('platform', 'is not activated: it can test, and cannot take real money'))
  }
  const inactive = Object.entries(account.capabilities ?? {}).filter(([, state]) => state !== 'active')
  for (const [name, state] of inactive) findings.push(warning('platform', `its capability ${name} is ${state}`))
  return findings
}

/** The members of a webhook endpoint that are looked at. */
export type Endpoint = Pick<Stripe.WebhookEndpoint, 'id' | 'url' | 'status' | 'api_version' | 'enabled_events'>

/** Compares the webhook endpoints with ours: two addresses, each with exactly its event types and our API version. */
export function checkEndpoints(
  endpoints: readonly Endpoint[],
  { name }: Pick<StripeSettings, 'name'>,
  { publicUrl }: Pick<OwnSetup, 'publicUrl'>,
): SetupFinding[] {
  return (Object.keys(eventTypes) as Receiver[]).flatMap((receiver) => {
    const url = `${publicUrl}/providers/${name.toLowerCase()}/webhooks/${receiver}`
    const about = `webhooks of ${receiver}`
    const own = endpoints.filter((endpoint) => endpoint.url === url)
    const enabled = own.filter(({ status }) => status === 'enabled')
    if (own.length === 0) return [fault(about, `no endpoint has the address ${url}`)]
    if (enabled.length === 0) return [fault(about, `the endpoint ${own[0]?.id} is disabled`)]
    const findings = enabled.flatMap((endpoint) => checkEndpoint(about, endpoint, eventTypes[receiver]))
    if (enabled.length > 1) findings.push(warning(about, `${enabled.length} endpoints: each event arrives as often`))
    return findings.length > 0 ? findings : [ok(about, `${url} gets exactly its events; the dashboard shows whose`)]
  })
}

function checkEndpoint(about: string, endpoint: Endpoint, wanted: readonly string[]): SetupFinding[] {
  const { id, api_version: version, enabled_events: events } = endpoint
  const findings: SetupFinding[] = []
  const hasAll = events.includes('*')
  const missing = hasAll ? [] : wanted.filter((type) => !events.includes(type))
  const others = hasAll ? ['*'] : events.filter((type) => !wanted.includes(type))
  if (missing.length > 0) findings.push(fault(about, `${id} lacks ${missing.join(', ')}`))
  if (others.length > 0) findings.push(warning(about, `${id} also gets ${others.join(', ')}, which nobody applies`))
  if (version !== Stripe.API_VERSION) {
    const given = version ?? "the account's default version"
    findings.push(fault(about, `${id} sends ${given}; make it again with the version ${Stripe.API_VERSION}`))
  }
  return findings
}

async function listEndpoints(stripe: Stripe, call: SdkCall): Promise<Endpoint[]> {
  const found: Endpoint[] = []
  let after: string | undefined
  do {
    const from = after === undefined ? {} : { starting_after: after }
    const page = await call('checkSetup', { harmless: true }, (options) =>
      stripe.webhookEndpoints.list({ limit: 100, ...from }, options),
    )
    found.push(...page.data)
    after = page.has_more ? page.data.at(-1)?.id : undefined
  } while (after !== undefined)
  return found
}

/** Returns what a question found, or that it could not be asked. */
async function asked(about: string, question: () => Promise<SetupFinding[]>): Promise<SetupFinding[]> {
  try {
    return await question()
  } catch (error) {
    if (!isProviderError(error)) throw error
    const words = error.cause instanceof Stripe.errors.StripeError ? error.cause.message : error.message
    // A restricted key without this permission works for everything else.
    const isForbidden = error.cause instanceof Stripe.errors.StripePermissionError
    const level = isForbidden || error instanceof ProviderRefused ? 'warning' : 'fault'
    return [{ level, about, text: `cannot be checked: ${words}` }]
  }
}
