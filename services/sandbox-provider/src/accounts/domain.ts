import type { Account } from '../db.ts'

/** What onboarding, Stripe's review or the practice does to an account. */
export type AccountCommand = 'complete' | 'restrict' | 'reject' | 'deauthorize'

export interface AccountChange {
  next: Account
  events: Array<'account.updated' | 'account.application.deauthorized'>
}

/** Thrown if the account's state does not allow a command. The message is for the client. */
export class ImpossibleAccount extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'ImpossibleAccount'
  }
}

const standings = { complete: 'active', restrict: 'restricted', reject: 'rejected' } as const

/**
 * Decides the state of an account after a command, and its events.
 *
 * @throws ImpossibleAccount after a rejection, which is final, or after the practice has disconnected from the platform
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

/** Returns whether the account may take payments: Stripe's `charges_enabled`. */
export function canCharge(account: Account): boolean {
  return account.standing === 'active' || account.standing === 'restricted'
}

/** Returns the account's outstanding requirements: Stripe's `requirements`. */
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
