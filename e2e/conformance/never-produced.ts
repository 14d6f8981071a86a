import type { Cell } from './cells.ts'

const nothingToRefuse = 'it changes nothing, so a rule has nothing to refuse'
const alwaysPossible = 'it can always be done if the entity exists'

/** Categories that the interface allows for an endpoint and that nothing here returns, with the reason. */
export const neverProduced: Readonly<Partial<Record<Cell, string>>> = {
  'listAccounts Unprocessable': nothingToRefuse,
  'getAccount Unprocessable': nothingToRefuse,
  'getPayment Unprocessable': nothingToRefuse,
  'getSubscription Unprocessable': nothingToRefuse,
  'unsubscribe Unprocessable': alwaysPossible,
  'listPayments Unprocessable': nothingToRefuse,
  'listRefunds Unprocessable': nothingToRefuse,
  'getRefund Unprocessable': nothingToRefuse,
  'listDeliveries Unprocessable': nothingToRefuse,
  'getDelivery Unprocessable': nothingToRefuse,
  'getRecovery Unprocessable': nothingToRefuse,
  'rotateSigningSecret Unprocessable': alwaysPossible,
  'changeSite Unprocessable': 'every change that matches its schema is allowed; a taken PMS-specific id is 409',
}
