import type { WebhookHeader } from '@frontdesk/contracts'
import { problem, type ProblemFault } from '@frontdesk/problems'
import { isAllowedAddress, isAllowedPort, isLiteralAddress, isLocalName, type TargetRules } from '../guard/addresses.ts'
import { holdsHost } from '../guard/targets.ts'

const hour = 60 * 60 * 1000

/** How long the old secret signs beside a new one. */
export const secretOverlapMs = 24 * hour
/**
 * How long the subscriptions of a deleted site still match new events. They come from money that was on its way at the
 * deletion: debits take days, disputes months. Accounts keeps the provider account of the site for as long.
 */
export const matchAfterSiteDeletionMs = 180 * 24 * hour

export type PauseReason = 'failing' | 'gone' | CredentialReason
/** The credential that made the subscription has ended, or has lost the right to it. */
export type CredentialReason = (typeof credentialReasons)[number]
export const credentialReasons = ['site_key_replaced', 'rights_lost'] as const

/** The principal that stands for both keys of a site. */
export const principalOfSite = (siteSlug: string) => `site:${siteSlug}`
export const principalOfClient = (clientId: string) => `client:${clientId}`

/** Whether a subscription was paused because of its credential: then not even a person's request or a probe is sent. */
export function isLockedOut({ pauseReason }: { pauseReason: string | null }): boolean {
  return credentialReasons.some((reason) => reason === pauseReason)
}

/** Where deliveries may go. */
export interface UrlRules extends TargetRules {
  allowHttp: boolean
}

/** Whether a header is set by deliveries or by the connection: a caller may not set it. */
export function isReservedHeader(name: string): boolean {
  return reservedHeaders.has(name.toLowerCase()) || /^(webhook|content|proxy)-/i.test(name)
}
const reservedHeaders = new Set([
  'host',
  'connection',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'expect',
  'http2-settings',
  'traceparent',
  'tracestate',
])

/** Throws `webhook_header_refused` if a header is reserved. */
export function checkHeaders(headers: readonly WebhookHeader[]): void {
  const errors = headers.flatMap(({ Name }, index): ProblemFault[] =>
    isReservedHeader(Name)
      ? [{ pointer: `/Headers/${index}/Name`, detail: `${Name} is set by the delivery itself` }]
      : [],
  )
  if (errors.length > 0) throw problem('webhook_header_refused', { errors })
}

/** The addresses that a subscription can have, the first one first. */
export interface Addresses {
  /** The request's own. */
  given: string | undefined
  /** The one that is registered for the client. It precedes the site's, which another client may have set: headers hold secrets. */
  ofClient: string | undefined
  ofSite: string | undefined
}

/**
 * Returns the address to deliver to, normalised. Throws `webhook_url_missing` if there is none, `webhook_url_refused` if the
 * URL may not be delivered to. Only the URL itself is checked here; the addresses of its host name are checked at every
 * connection.
 */
export function checkUrl({ given, ofClient, ofSite }: Addresses, rules: UrlRules): string {
  const text = given ?? ofClient ?? ofSite
  if (text === undefined) {
    throw problem('webhook_url_missing', {
      detail: 'Send Url, set WebhookUrl of the site, or have an address registered for your client.',
      errors: [{ pointer: '/Url', detail: 'is missing, and neither the client nor the site has an address' }],
    })
  }
  const whose = given !== undefined ? '' : ofClient !== undefined ? 'of your client, ' : 'WebhookUrl of the site, '
  const refuse = (why: string) =>
    problem('webhook_url_refused', {
      errors: [{ pointer: '/Url', detail: whose === '' ? why : `${whose}${text}, ${why}` }],
    })
  if (!URL.canParse(text)) throw refuse('is not a URL')
  const url = new URL(text)
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && rules.allowHttp)) throw refuse('must be https')
  if (url.username !== '' || url.password !== '') throw refuse('must not carry credentials; use Headers')
  const local = isLocalName(url.hostname) && !rules.allowLoopback
  const closed = isLiteralAddress(url.hostname) && !isAllowedAddress(url.hostname, rules)
  if (local || closed) throw refuse('is not an address on the open internet')
  if (rules.closed !== undefined && holdsHost(rules.closed, url.hostname)) throw refuse('is not open to deliveries')
  if (!isAllowedPort(url, rules)) throw refuse('uses a port that is not open to deliveries')
  url.hash = ''
  return url.href
}

/** A subscription that has failed for `afterMs`, and at least `attempts` times, is paused. */
export interface PauseRule {
  afterMs: number
  attempts: number
}

/** Whether a subscription has failed so long and so often that it is to be paused. */
export function isFailingForGood(
  failing: { since: Date | null; attempts: number },
  now: Date,
  rule: PauseRule,
): boolean {
  if (failing.since === null) return false
  return failing.attempts >= rule.attempts && now.getTime() - failing.since.getTime() >= rule.afterMs
}
