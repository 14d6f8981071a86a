import type { KeyRing } from '@frontdesk/service/encryption'

const purpose = 'checkout outcome'

/**
 * Returns the address of our page after a hosted checkout, which tells a payer what has become of the payment. It is signed: an id
 * alone, as it stands in logs and at the provider, shows nobody a payment.
 */
export function landingAddress(ring: KeyRing, publicUrl: string, recordId: string): string {
  return `${publicUrl}/checkout/done/${recordId}.${ring.sign(recordId, purpose)}`
}

/** Returns the payment of the address's last part; undefined if we did not sign it. */
export function paymentOfToken(ring: KeyRing, token: string): string | undefined {
  const [recordId = '', signature = ''] = token.split('.')
  return ring.isSigned(recordId, signature, purpose) ? recordId : undefined
}
