import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { OperationId } from '@frontdesk/contracts'
import * as kit from '../system/practice.ts'
import { ensure, isSuccess } from './check.ts'
import type { Answer } from './exchange.ts'
import type { Credential, TestedSystem } from './tested-system.ts'

export { paymentBody, type Identity, type OnboardedSite, type Site } from '../system/practice.ts'

export interface SiteOptions {
  body?: Record<string, unknown>
  as?: Credential
  headers?: Record<string, string>
}

/** Creates a site, which is deleted when the suite ends. */
export async function openSite(system: TestedSystem, { body, as, headers }: SiteOptions = {}): Promise<kit.Site> {
  const call = { body: { Name: 'Conformance Practice', ...body }, ...(as && { as }), ...(headers && { headers }) }
  const site = siteOf(await system.call('createSite', call))
  const { PracticeManagementSoftware: pms } = site
  deletedAtEnd(system, site.SiteSlug, as ?? { client: system.main.id }, pms)
  return site
}

/** Has a site deleted when the suite ends, if it still exists. */
export function deletedAtEnd(system: TestedSystem, slug: string, as: Credential, pms: string): void {
  const headers = { 'x-practice-management-software': pms }
  system.cleanUp(() => system.call('deleteSite', { params: { SiteIdentifier: slug }, as, headers }))
}

/** Returns the site of a 201 of createSite. */
export function siteOf(answer: Answer): kit.Site {
  return kit.siteOf(isSuccess(answer, 'createSite', 201) as never)
}

export const provider = 'Sandbox'

export interface Payment {
  RecordId: string
  PaymentId: string
  Amount: number
  FeeAmount: number
  CheckoutUrl?: string
  History: { Timestamp: string; Description: string; Status: string }[]
  [member: string]: unknown
}

/** Creates a payment at a site. */
export async function openPayment(
  system: TestedSystem,
  site: string,
  more: Record<string, unknown> = {},
): Promise<Payment> {
  return (await system.success('createPayment', {
    params: { SiteSlug: site },
    body: kit.paymentBody(more),
  })) as unknown as Payment
}

/** Creates a payment at a site, and waits until it is paid. */
export async function openPaidPayment(
  system: TestedSystem,
  site: string,
  more: Record<string, unknown> = {},
): Promise<Payment> {
  const payment = await openPayment(system, site, more)
  await system.provider.atCheckout(payment.PaymentId, 'pay')
  const params = { SiteSlug: site, PaymentIdentifier: payment.RecordId }
  return (await until(system, 'getPayment', params, ({ Status }) => Status === 'Completed')) as unknown as Payment
}

/** Creates a site, and onboards it at the sandbox provider. */
export async function openOnboardedSite(system: TestedSystem, options: SiteOptions = {}): Promise<kit.OnboardedSite> {
  const site = await openSite(system, {
    ...options,
    body: { Currency: 'GBP', Address: { Country: 'GB' }, ...options.body },
  })
  return { site, account: await onboard(system, site.SiteSlug, options.as) }
}

/** Opens an account of a site, and completes its onboarding. */
export function onboard(system: TestedSystem, slug: string, as?: Credential): Promise<kit.Account> {
  const frontdesk = as === undefined ? system.frontdesk : system.clientOf(as)
  return kit.onboard({ frontdesk, provider: system.provider }, slug)
}

/** Asks until the success is as it should be; at most 20 s. Returns it. */
export async function until(
  system: TestedSystem,
  id: OperationId,
  params: Record<string, string>,
  isThere: (body: Record<string, unknown>) => boolean,
  as?: Credential,
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

const shared = new WeakMap<TestedSystem, { onboarded?: Promise<kit.OnboardedSite>; site?: Promise<kit.Site> }>()

function sharedOf(system: TestedSystem) {
  const known = shared.get(system) ?? {}
  shared.set(system, known)
  return known
}

/** Returns one onboarded site for all cases that do not change it. */
export function sharedOnboardedSite(system: TestedSystem): Promise<kit.OnboardedSite> {
  return (sharedOf(system).onboarded ??= openOnboardedSite(system))
}

/** Returns one site for all cases that do not change it; it needs no provider. */
export function sharedSite(system: TestedSystem): Promise<kit.Site> {
  return (sharedOf(system).site ??= openSite(system))
}

/** Returns a name that no other site has. */
export const uniqueName = (): string => `Conformance ${randomUUID()}`
