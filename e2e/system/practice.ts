import type { FrontdeskClient, PaymentCreation, PaymentProviderAccount, SiteWithKeys } from '#client'
import { eventually } from '@frontdesk/testing/eventually'
import { SystemFault } from './fault.ts'
import { openSubscriber, type Subscriber } from './subscriber.ts'
import type { System } from './system.ts'

export type Identity = SiteWithKeys['Identity']
export type Site = Identity & { keys: SiteWithKeys['PracticeSiteApiKeys'] }
export type Account = PaymentProviderAccount
export type NewPayment = PaymentCreation

/** A site with an account that can take payments. */
export interface OnboardedSite {
  site: Site
  account: Account
}

/** A site that can take payments, and a subscriber to its payment events. */
export interface Practice extends OnboardedSite, AsyncDisposable {
  slug: string
  subscriber: Subscriber
  /** Creates a payment of 45.00 GBP. Returns its RecordId and the provider's id. */
  createPayment(more?: Partial<NewPayment>): Promise<{ recordId: string; paymentId: string }>
  /** Waits for the outcome of a payment; returns the type of its event. */
  outcomeOf(recordId: string, within?: number): Promise<string>
}

/** The part of a system that onboarding needs; `frontdesk` may be another client than the system's own. */
export type Onboarding = Pick<System, 'frontdesk' | 'provider'>

/** Returns the body of a valid payment of 45.00 GBP. */
export function paymentBody<More extends Partial<NewPayment>>(more?: More) {
  return {
    PaymentProvider: 'Sandbox' as const,
    Currency: 'GBP',
    LineItems: [{ ProductName: 'Check-up', Price: 4_500 }],
    ...more,
  }
}

/** Combines the two parts of a created site. */
export function siteOf({ Identity, PracticeSiteApiKeys }: SiteWithKeys): Site {
  return { ...Identity, keys: PracticeSiteApiKeys }
}

/** Opens a site's account at the sandbox and completes its onboarding. */
export async function onboard(system: Onboarding, slug: string): Promise<Account> {
  const { account } = await system.frontdesk.accounts.create({
    SiteSlug: slug,
    body: { paymentProvider: 'Sandbox' },
  })
  return completeOnboarding(system, slug, account)
}

/** Fills in the onboarding form as the practice would, and waits up to 20 s until the account is Active. */
export async function completeOnboarding(
  { frontdesk, provider }: Onboarding,
  slug: string,
  { accountId, externalAccountId }: Account,
): Promise<Account> {
  await provider.control(`accounts/${externalAccountId}/complete`)
  return eventually(
    async () => {
      const account = await frontdesk.accounts.get({ SiteSlug: slug, AccountId: accountId })
      if (account.status !== 'Active') throw new SystemFault(`after 20 s the account is still ${account.status}`)
      return account
    },
    { within: 20_000, every: 100 },
  )
}

/** Creates a site in GBP that can take payments. */
export async function openOnboardedSite(system: Onboarding, name = 'Harbour Street Dental'): Promise<OnboardedSite> {
  const site = siteOf(
    await system.frontdesk.sites.create({ body: { Name: name, Currency: 'GBP', Address: { Country: 'GB' } } }),
  )
  return { site, account: await onboard(system, site.SiteSlug) }
}

/** Subscribes an address to events of a site. Returns the signing secret. */
export async function subscribe(
  frontdesk: FrontdeskClient,
  slug: string,
  url: string,
  EventTypes = ['payment.*'],
): Promise<string> {
  const body = { EventTypes, Url: url }
  const { SigningSecret: secret = '' } = await frontdesk.webhooks.subscribe({ SiteSlug: slug, body })
  return secret
}

/** Creates a site, onboards it and subscribes to its events: by default the outcomes of payments. */
export async function openPractice(system: Onboarding, name?: string, eventTypes?: string[]): Promise<Practice> {
  const { frontdesk } = system
  const onboarded = await openOnboardedSite(system, name)
  const slug = onboarded.site.SiteSlug
  const subscriber = await openSubscriber()
  subscriber.trust(await subscribe(frontdesk, slug, subscriber.url, eventTypes))
  return {
    ...onboarded,
    slug,
    subscriber,
    async createPayment(more) {
      const { RecordId, PaymentId } = await frontdesk.payments.create({ SiteSlug: slug, body: paymentBody(more) })
      return { recordId: RecordId, paymentId: PaymentId ?? '' }
    },
    outcomeOf: async (recordId, within) => (await subscriber.outcomeOf(recordId, within)).event.type,
    [Symbol.asyncDispose]: () => subscriber[Symbol.asyncDispose](),
  }
}
