import type { Cell } from './cells.ts'

const nothingToRefuse = 'it changes nothing, so there is nothing that a rule could refuse'
const alwaysPossible = 'where the entity exists, it can always be done'

/** Categories that an endpoint may return by the interface and that nothing here returns, with the reason. */
export const neverProduced: Readonly<Partial<Record<Cell, string>>> = {
  'listAccounts Unprocessable': nothingToRefuse,
  'getAccount Unprocessable': nothingToRefuse,
  'getPayment Unprocessable': nothingToRefuse,
  'getSubscription Unprocessable': nothingToRefuse,
  'unsubscribe Unprocessable': alwaysPossible,
  'listPayments Unprocessable': nothingToRefuse,
  'listDeliveries Unprocessable': nothingToRefuse,
  'getDelivery Unprocessable': nothingToRefuse,
  'rotateSigningSecret Unprocessable': alwaysPossible,
  'sendTestEvent Unprocessable': alwaysPossible,
  'changeSite Unprocessable': 'every change that its schema lets through is allowed; a taken PMS-specific id is 409',
}
