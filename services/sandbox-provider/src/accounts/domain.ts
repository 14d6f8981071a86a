import type { Account } from '../db.ts'

/** What onboarding or Stripe's own review does to an account. */
export type AccountCommand = 'complete' | 'restrict' | 'reject' | 'deauthorize'

export interface AccountChange {
  next: Account
  events: Array<'account.updated' | 'account.application.deauthorized'>
}

/** The account is past what was asked of it. The message is for the one who asked. */
export class ImpossibleAccount extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'ImpossibleAccount'
  }
}

const standings = { complete: 'active', restrict: 'restricted', reject: 'rejected' } as const

/**
 * Decides what a command makes of an account.
 *
 * @throws ImpossibleAccount after a rejection, which is final, and after the practice has disconnected the platform
 */
export function decideAccount(account: Account, command: AccountCommand, now: Date): AccountChange {
  if (account.deauthorizedAt !== null) {
    throw new ImpossibleAccount(`Cannot ${command}: the account has disconnected from the platform.`)
  }
  if (command === 'deauthorize') {
    return { next: { ...account, deauthorizedAt: now }, events: ['account.application.deauthorized'] }
  }
  if (account.standing === 'rejected') {
    throw new ImpossibleAccount(`Cannot ${command}: the account was rejected, and that is final.`)
  }
  return { next: { ...account, standing: standings[command] }, events: ['account.updated'] }
}

/** Whether the account may take payments: Stripe's `charges_enabled`. */
export function canCharge(account: Account): boolean {
  return account.standing === 'active' || account.standing === 'restricted'
}

/** Stripe's `requirements`: what the account still owes. */
export function requirementsOf(account: Account): {
  due: string[]
  disabledReason: 'rejected.other' | 'requirements.past_due' | null
} {
  switch (account.standing) {
    case 'onboarding': {
      const due = ['business_type', 'external_account', 'tos_acceptance.date', 'tos_acceptance.ip']
      return { due, disabledReason: 'requirements.past_due' }
    }
    case 'restricted':
      return { due: ['individual.verification.document'], disabledReason: 'requirements.past_due' }
    case 'rejected':
      return { due: [], disabledReason: 'rejected.other' }
    case 'active':
      return { due: [], disabledReason: null }
  }
}
