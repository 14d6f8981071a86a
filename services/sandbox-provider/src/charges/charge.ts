import type { Charge, Dispute, Refund } from '../db.ts'

/** A charge that took money, and what became of the money. Both lists are oldest first. */
export interface PaidCharge {
  charge: Charge
  refunds: readonly Refund[]
  disputes: readonly Dispute[]
}

/** What a practice or a bank does to a charge that took money. Amounts are in Stripe's smallest unit. */
export type ChargeCommand =
  | ({ type: 'refund' } & RefundOrder)
  /** the bank decides about the refund with this id, or else about the newest one that it can decide about */
  | { type: 'settle-refund' | 'fail-refund'; refund?: string | undefined }
  /** the customer's bank disputes `amount`, or all that was not refunded */
  | { type: 'dispute'; amount?: number | undefined }
  | { type: 'win-dispute' | 'lose-dispute' | 'reopen-dispute' }

export interface RefundOrder {
  /** Default: all that is left. */
  amount?: number | undefined
  reason?: string | undefined
  metadata?: Record<string, string> | undefined
  /** Whether the platform gives back its fee, in the proportion of the refund. */
  returnsFee?: boolean | undefined
  /** Whether the refund waits for the bank. */
  isPending?: boolean | undefined
}

/** An event of a charge, and the object that it shows as it is after the change. */
export type ChargeEvent =
  | { type: string; subject: 'charge' }
  | { type: string; subject: 'refund' | 'dispute'; id: string }

/** The charge after a command, and its events. */
export interface ChargeChange {
  next: PaidCharge
  events: ChargeEvent[]
}

/** Ids for the objects that a change may create. */
export interface ChargeIds {
  refund: string
  dispute: string
}
