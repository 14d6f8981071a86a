/** How a payment ends, with the weight of each fate. */
export const fates = {
  paid: 20,
  'declined, then paid': 9,
  'declined, then expired': 5,
  'delayed, then settled': 8,
  'delayed, then failed': 6,
  failed: 5,
  'turned back, then paid': 4,
  'turned back, then expired': 3,
  expired: 6,
  cancelled: 5,
  'cancelled while paid': 4,
  'refunded in part': 4,
  refunded: 4,
  'refunded by two at once': 3,
  'refund failing later': 3,
  'refund failing, then again': 2,
  'refunded in the dashboard': 2,
  'refunded here and in the dashboard': 2,
  'disputed, won': 1,
  'disputed, lost': 1,
  'refunded in part, then disputed and lost': 1,
  'dispute won, then refunded': 1,
  'dispute lost, then won': 1,
} as const
export type Fate = keyof typeof fates

/** How a client sends a request. */
export type Manner =
  /** With an Idempotency-Key, again until there is an answer. */
  | 'patient'
  /** With an Idempotency-Key, once, whatever the answer. */
  | 'gives up'
  /** Once, without a key. */
  | 'careless'

export interface PlannedPayment {
  /** Its Reference and Idempotency-Key. */
  name: string
  /** Slug of its site. */
  site: string
  price: number
  quantity: number
  uiMode: 'Hosted' | 'Embedded'
  fate: Fate
  manner: Manner
  /** How its refunds are requested. */
  refundManner: Manner
  /** Milliseconds before the customer's first action and between two actions. */
  pause: number
}

const manners = { patient: 90, 'gives up': 5, careless: 5 } as const

/** Plans payments; the same random numbers give the same plans. */
export function planPayments(count: number, sites: readonly string[], random: () => number): PlannedPayment[] {
  return Array.from({ length: count }, (_, index) => ({
    name: `SOAK-${String(index + 1).padStart(6, '0')}`,
    site: sites[Math.floor(random() * sites.length)] ?? '',
    price: 200 + Math.floor(random() * 20_000),
    quantity: 1 + Math.floor(random() * 3),
    uiMode: random() < 0.2 ? 'Embedded' : 'Hosted',
    fate: drawn(fates, random),
    manner: drawn(manners, random),
    refundManner: drawn(manners, random),
    pause: Math.floor(random() * 300),
  }))
}

/** Returns one of the names, drawn by weight. */
function drawn<Name extends string>(weights: Readonly<Record<Name, number>>, random: () => number): Name {
  const names = (Object.keys(weights) as Name[]).flatMap((name) => Array<Name>(weights[name]).fill(name))
  const name = names[Math.floor(random() * names.length)]
  if (name === undefined) throw new Error('nothing to draw from')
  return name
}
