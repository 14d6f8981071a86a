import type { PaymentStatus } from '@frontdesk/contracts'
import type { ProviderCheckout } from '@frontdesk/providers'

/** The statuses that may follow each status directly; a terminal status has none. */
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

/** The status that must have come before one that cannot be reached directly: events get lost, the history must not. */
const precededBy: Partial<Record<PaymentStatus, PaymentStatus>> = {
  Declined: 'Pending',
  PartiallyRefunded: 'Completed',
  Refunded: 'Completed',
  Disputed: 'Completed',
  ChargedBack: 'Disputed',
}

/** Whether a payment may go from one status to the other. Only late money leads out of a terminal status. */
export function mayGo(from: PaymentStatus, to: PaymentStatus): boolean {
  return transitions[from].includes(to) || (to === 'Completed' && (from === 'Failed' || from === 'Cancelled'))
}

/** Returns the statuses to pass through, ending with `to`; none if it lies behind, or the payment has ended otherwise. */
export function stepsTo(from: PaymentStatus, to: PaymentStatus): PaymentStatus[] {
  if (mayGo(from, to)) return [to]
  // The attempt was declined and the next one began before anybody looked.
  if (from === 'Processing' && to === 'Pending') return ['Declined', 'Pending']
  const before = precededBy[to]
  if (before === undefined || from === to) return []
  const steps = stepsTo(from, before)
  return steps.length === 0 ? [] : [...steps, to]
}

/** Returns the status that the provider's own record of a checkout implies. */
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
