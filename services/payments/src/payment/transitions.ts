import type { PaymentStatus } from '@frontdesk/contracts'
import type { ProviderCheckout } from '@frontdesk/providers'

/** Where a payment may go from each status (reference payments.md 3.1); the terminal ones lead nowhere. */
export const transitions: Readonly<Record<PaymentStatus, readonly PaymentStatus[]>> = {
  Created: ['Pending', 'Processing', 'Completed', 'Failed', 'Cancelled'],
  Pending: ['Declined', 'Processing', 'Completed', 'Failed', 'Cancelled'],
  Declined: ['Pending', 'Declined', 'Processing', 'Completed', 'Failed', 'Cancelled'],
  Processing: ['Completed', 'Failed', 'Declined', 'Cancelled'],
  Completed: ['PartiallyRefunded', 'Refunded', 'Disputed'],
  PartiallyRefunded: ['PartiallyRefunded', 'Refunded', 'Disputed'],
  Disputed: ['Completed', 'PartiallyRefunded', 'ChargedBack'],
  Failed: [],
  Cancelled: [],
  Refunded: [],
  ChargedBack: [],
}

/** What must have come before a status that cannot be reached directly: events get lost, the history must not. */
const precededBy: Partial<Record<PaymentStatus, PaymentStatus>> = {
  Declined: 'Pending',
  PartiallyRefunded: 'Completed',
  Refunded: 'Completed',
  Disputed: 'Completed',
  ChargedBack: 'Disputed',
}

/** Whether a payment may go from one status to the other; money that came after all is the one way out of an end. */
export function mayGo(from: PaymentStatus, to: PaymentStatus): boolean {
  return transitions[from].includes(to) || (to === 'Completed' && (from === 'Failed' || from === 'Cancelled'))
}

/** The statuses to pass through, the last being `to`; none where it lies behind, or the payment has ended otherwise. */
export function stepsTo(from: PaymentStatus, to: PaymentStatus): PaymentStatus[] {
  if (mayGo(from, to)) return [to]
  // The attempt under way was declined and the next one has begun, before anybody looked.
  if (from === 'Processing' && to === 'Pending') return ['Declined', 'Pending']
  const before = precededBy[to]
  if (before === undefined || from === to) return []
  const steps = stepsTo(from, before)
  return steps.length === 0 ? [] : [...steps, to]
}

/** The status that the provider's own record of a checkout implies (reference payments.md 2d). */
export function impliedStatus(checkout: ProviderCheckout): PaymentStatus {
  switch (checkout.paymentStatus) {
    case 'paid':
      return paidStatus(checkout)
    case 'processing':
      return 'Processing'
    case 'failed':
      return 'Failed'
    case 'cancelled':
      return 'Cancelled'
    case 'unpaid':
      if (checkout.status === 'expired') return 'Cancelled'
      return checkout.lastError ? 'Declined' : 'Pending'
  }
}

function paidStatus({ dispute, amountRefunded, amountTotal }: ProviderCheckout): PaymentStatus {
  if (dispute === 'lost') return 'ChargedBack'
  if (dispute === 'open') return 'Disputed'
  if (amountRefunded === 0) return 'Completed'
  return amountRefunded < amountTotal ? 'PartiallyRefunded' : 'Refunded'
}
