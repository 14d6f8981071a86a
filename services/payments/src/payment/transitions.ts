import type { PaymentStatus } from '@frontdesk/contracts'
import type { ProviderCheckout } from '@frontdesk/providers'
import type { Payment } from './domain.ts'

/** The statuses that may follow each status directly; a terminal status has none. What happens to money can be undone. */
export const transitions: Readonly<Record<PaymentStatus, readonly PaymentStatus[]>> = {
  Created: ['Pending', 'Processing', 'Completed', 'Failed', 'Cancelled'],
  Pending: ['Declined', 'Processing', 'Completed', 'Failed', 'Cancelled'],
  Declined: ['Pending', 'Declined', 'Processing', 'Completed', 'Failed', 'Cancelled'],
  Processing: ['Completed', 'Failed', 'Declined', 'Cancelled'],
  Completed: ['PartiallyRefunded', 'Refunded', 'Disputed'],
  PartiallyRefunded: ['Completed', 'PartiallyRefunded', 'Refunded', 'Disputed'],
  Refunded: ['Completed', 'PartiallyRefunded', 'Refunded', 'Disputed'],
  Disputed: ['Completed', 'PartiallyRefunded', 'Refunded', 'Disputed', 'ChargedBack'],
  ChargedBack: ['Completed', 'PartiallyRefunded', 'Refunded', 'Disputed', 'ChargedBack'],
  Failed: [],
  Cancelled: [],
}

/** The money was taken. Which of them applies follows from what became of it. */
export const paidStatuses: readonly PaymentStatus[] = [
  'Completed',
  'PartiallyRefunded',
  'Refunded',
  'Disputed',
  'ChargedBack',
]

/** Whether a payment may go from one status to the other. Only late money leads out of a terminal status. */
export function mayGo(from: PaymentStatus, to: PaymentStatus): boolean {
  return transitions[from].includes(to) || (to === 'Completed' && (from === 'Failed' || from === 'Cancelled'))
}

/**
 * Returns the statuses to pass through until the money is taken, ending with `to`; none if `to` lies behind, or the payment
 * has ended otherwise.
 */
export function stepsTo(from: PaymentStatus, to: PaymentStatus): PaymentStatus[] {
  if (paidStatuses.includes(from)) return []
  if (mayGo(from, to)) return [to]
  // The attempt was declined and the next one began before anybody looked.
  if (from === 'Processing' && to === 'Pending') return ['Declined', 'Pending']
  // Events get lost, the history must not.
  return from === 'Created' && to === 'Declined' ? ['Pending', 'Declined'] : []
}

/** Returns the status that the provider's own record of a checkout implies, before any refund or dispute. */
export function impliedStatus(checkout: ProviderCheckout): PaymentStatus {
  switch (checkout.paymentStatus) {
    case 'paid':
      return 'Completed'
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

/** Returns the status of a paid payment: it follows from what was taken, what went back and what is disputed. */
export function paidStatus({ amount, paidAmount = amount, amountRefunded, dispute }: Payment): PaymentStatus {
  if (dispute?.status === 'open') return 'Disputed'
  if (dispute?.status === 'lost') return 'ChargedBack'
  if (amountRefunded === 0) return 'Completed'
  return amountRefunded < paidAmount ? 'PartiallyRefunded' : 'Refunded'
}
