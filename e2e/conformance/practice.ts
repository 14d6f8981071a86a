import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { OperationId } from '@frontdesk/contracts'
import { ensure, isSuccess } from './check.ts'
import type { Answer } from './exchange.ts'
import type { Proof, System } from './system.ts'

export interface Identity {
  Name: string
  PracticeManagementSoftware: string
  PmsSpecificSiteId: string
  SiteSlug: string
  OwningOrganisationSlug: string
  BillingOrganisationSlug: string
}

export interface Site extends Identity {
  keys: { PrimaryKey: string; SecondaryKey: string }
}

export interface SiteOptions {
  body?: Record<string, unknown>
  as?: Proof
  headers?: Record<string, string>
}

/** Creates a site, which is deleted again when the suite ends. */
export async function openSite(system: System, { body, as, headers }: SiteOptions = {}): Promise<Site> {
  const call = { body: { Name: 'Conformance Practice', ...body }, ...(as && { as }), ...(headers && { headers }) }
  const site = siteOf(await system.call('createSite', call))
  const { PracticeManagementSoftware: pms } = site
  deletedAtEnd(system, site.SiteSlug, as ?? { client: system.main.id }, pms)
  return site
}

/** Has a site deleted when the suite ends, where it still exists. */
export function deletedAtEnd(system: System, slug: string, as: Proof, pms: string): void {
  const headers = { 'x-practice-management-software': pms }
  system.cleanUp(() => system.call('deleteSite', { params: { SiteIdentifier: slug }, as, headers }))
}

/** The site of a 201 of createSite. */
export function siteOf(answer: Answer): Site {
  const { Identity, PracticeSiteApiKeys } = isSuccess(answer, 'createSite', 201) as unknown as {
    Identity: Identity
    PracticeSiteApiKeys: Site['keys']
  }
  return { ...Identity, keys: PracticeSiteApiKeys }
}

export interface Account {
  accountId: string
  status: string
  externalAccountId: string
}

/** A site with an account that can charge. */
export interface Practice {
  site: Site
  account: Account
}

export const provider = 'Sandbox'

/** A body of a payment that is in order. */
export function paymentBody(more: Record<string, unknown> = {}): Record<string, unknown> {
  const LineItems = [{ ProductName: 'Check-up', Price: 4_500 }]
  return { PaymentProvider: provider, Currency: 'GBP', LineItems, ...more }
}

export interface Payment {
  RecordId: string
  PaymentId: string
  Amount: number
  FeeAmount: number
  CheckoutUrl?: string
  History: { Timestamp: string; Description: string; Status: string }[]
  [member: string]: unknown
}

/** Creates a payment at a practice. */
export async function openPayment(system: System, site: string, more: Record<string, unknown> = {}): Promise<Payment> {
  const answer = await system.call('createPayment', { params: { SiteSlug: site }, body: paymentBody(more) })
  return isSuccess(answer, 'createPayment', 201) as unknown as Payment
}

/** Creates a site, and onboards it at the sandbox provider. */
export async function openPractice(system: System, options: SiteOptions = {}): Promise<Practice> {
  const site = await openSite(system, { ...options, body: { Currency: 'GBP', ...options.body } })
  return { site, account: await onboard(system, site.SiteSlug, options.as) }
}

/** Makes an account of a site, and has the practice complete what the provider asks. */
export async function onboard(system: System, slug: string, as: Proof = { client: system.main.id }): Promise<Account> {
  const params = { SiteSlug: slug }
  const answer = await system.call('createAccount', { params, body: { paymentProvider: provider }, as })
  const { account } = isSuccess(answer, 'createAccount', answer.status) as unknown as { account: Account }
  await system.atProvider(`accounts/${account.externalAccountId}/complete`)
  const call = { params: { ...params, AccountId: account.accountId }, as }
  await until(system, 'getAccount', call.params, ({ status }) => status === 'Active', as)
  return { ...account, status: 'Active' }
}

/** Asks until the success is as it should be; at most 20 s. Returns it. */
export async function until(
  system: System,
  id: OperationId,
  params: Record<string, string>,
  isThere: (body: Record<string, unknown>) => boolean,
  as?: Proof,
): Promise<Record<string, unknown>> {
  const deadline = Date.now() + 20_000
  for (;;) {
    const answer = await system.call(id, { params, ...(as && { as }) })
    const body = isSuccess(answer, id, 200)
    if (isThere(body)) return body
    ensure(Date.now() < deadline, answer, 'after 20 s it is still not as it should be')
    await wait(100)
  }
}

const shared = new WeakMap<System, { practice?: Promise<Practice>; site?: Promise<Site> }>()

/** One practice for all cases that change nothing of it. */
export function sharedPractice(system: System): Promise<Practice> {
  const held = shared.get(system) ?? {}
  shared.set(system, held)
  return (held.practice ??= openPractice(system))
}

/** One site for all cases that change nothing of it; needs no provider. */
export function sharedSite(system: System): Promise<Site> {
  const held = shared.get(system) ?? {}
  shared.set(system, held)
  return (held.site ??= openSite(system))
}

/** A name that no other site has. */
export const uniqueName = (): string => `Conformance ${randomUUID()}`
