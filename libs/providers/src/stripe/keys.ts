/** Stripe's keys for servers: secret and restricted ones, of an account (`sk_live_...`) or an organisation (`sk_org_live_...`). */
const serverKey = /^(?:sk|rk)(?:_org)?_(live|test)_/

/** Returns whether a secret key moves real money. Throws if it says neither `live` nor `test`. */
export function isLiveKey(secretKey: string): boolean {
  const mode = serverKey.exec(secretKey)?.[1]
  // The key itself must not get into a log.
  if (mode === undefined)
    throw new Error(
      'the secret key of Stripe does not begin as one: sk_live_, rk_live_, sk_org_live_, or the same with test',
    )
  return mode === 'live'
}
