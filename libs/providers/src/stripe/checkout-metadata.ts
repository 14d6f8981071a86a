import type Stripe from 'stripe'
import type { CheckoutOrder } from '../orders.ts'
import type { CheckoutOrigin } from '../port.ts'

/** Stripe refuses a longer value, and more than 50 of them. */
const longestValue = 500

/**
 * Returns the metadata of a payment's checkout. They are enough to make the payment's record again if our database is
 * restored to a time before it.
 */
export function checkoutMetadata(order: CheckoutOrder): Record<string, string> {
  const { site, reference, customerId, statementDescriptor } = order
  const all = {
    recordId: order.recordId,
    siteSlug: site.slug,
    organisationSlug: site.owningOrganisation,
    billingOrganisationSlug: site.billingOrganisation,
    product: site.practiceManagementSystem,
    pmsSpecificId: site.pmsSpecificId,
    feeAmount: String(order.feeAmount),
    reference,
    customerId,
    statementDescriptor,
  }
  return Object.fromEntries(
    Object.entries(all).flatMap(([name, value]) => (value ? [[name, value.slice(0, longestValue)]] : [])),
  )
}

/** Reads the facts of a payment from its checkout; undefined if they are not all there, as before this release. */
export function checkoutOrigin({ metadata }: Pick<Stripe.Checkout.Session, 'metadata'>): CheckoutOrigin | undefined {
  const { siteSlug, organisationSlug, billingOrganisationSlug, product, pmsSpecificId, feeAmount } = metadata ?? {}
  if (!siteSlug || !organisationSlug || !billingOrganisationSlug || !product || !pmsSpecificId) return undefined
  if (feeAmount === undefined || !/^\d{1,8}$/.test(feeAmount)) return undefined
  return {
    site: {
      slug: siteSlug,
      owningOrganisation: organisationSlug,
      billingOrganisation: billingOrganisationSlug,
      practiceManagementSystem: product,
      pmsSpecificId,
    },
    feeAmount: Number(feeAmount),
    reference: metadata?.['reference'],
    customerId: metadata?.['customerId'],
    statementDescriptor: metadata?.['statementDescriptor'],
  }
}
