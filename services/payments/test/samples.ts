import type { ProviderCheckout } from '@frontdesk/providers'
import type { Payment } from '../src/payment/domain.ts'

/** What pure tests decide on: a payment that is `Created`, and its checkout, which is open. */

export const now = new Date('2026-11-21T09:00:00Z')

export const created: Payment = {
  recordId: '0199b6a0-0000-7000-8000-000000000001',
  site: {
    slug: 's12345678901',
    practiceManagementSystem: 'OpenDental',
    pmsSpecificId: '17',
    owningOrganisation: 'o12345678901',
    billingOrganisation: 'o12345678901',
  },
  provider: 'Sandbox',
  providerAccountId: 'acct_1',
  uiMode: 'Hosted',
  currency: 'GBP',
  amount: 4_500,
  feeAmount: 0,
  reference: 'INV-7',
  createdAt: now,
  status: 'Created',
  version: 1,
  listed: true,
  tipAmount: 0,
  refunds: [],
  amountRefunded: 0,
}

export const open: ProviderCheckout = {
  id: 'cs_1',
  status: 'open',
  paymentStatus: 'unpaid',
  currency: 'GBP',
  amountTotal: 4_500,
  feeAmount: 0,
  tipAmount: 0,
  refunds: [],
  url: 'https://checkout.example/cs_1',
  expiresAt: new Date('2026-11-22T09:00:00Z'),
}

/** The page is over: it has no address any more. */
export const { url: _, ...closed } = { ...open, status: 'complete' as const }

export const paid: ProviderCheckout = {
  ...closed,
  paymentStatus: 'paid',
  paymentIntentId: 'pi_1',
  chargeId: 'ch_2',
  paidAt: new Date('2026-11-21T08:59:58Z'),
}
