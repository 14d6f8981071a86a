/** How a payment ends, with the weight of each fate. */
export const fates = {
  paid: 26,
  'declined, then paid': 12,
  'declined, then expired': 5,
  'delayed, then settled': 10,
  'delayed, then failed': 8,
  failed: 6,
  'turned back, then paid': 6,
  'turned back, then expired': 4,
  expired: 7,
  cancelled: 6,
  'cancelled while paid': 4,
  'refunded in part': 2,
  refunded: 2,
  'disputed, won': 1,
  'disputed, lost': 1,
} as const
export type Fate = keyof typeof fates

/** How a client requests a payment. */
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
  /** Milliseconds before the customer's first action and between two actions. */
  pause: number
}

/** Returns a generator of numbers from 0 to 1, exclusive; the same seed gives the same numbers (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** Plans payments; the same random numbers give the same plans. */
export function planPayments(count: number, sites: readonly string[], random: () => number): PlannedPayment[] {
  return Array.from({ length: count }, (_, index) => ({
    name: `SOAK-${String(index + 1).padStart(6, '0')}`,
    site: sites[Math.floor(random() * sites.length)] ?? '',
    price: 100 + Math.floor(random() * 20_000),
    quantity: 1 + Math.floor(random() * 3),
    uiMode: random() < 0.2 ? 'Embedded' : 'Hosted',
    fate: drawn(fates, random),
    manner: drawn({ patient: 90, 'gives up': 5, careless: 5 }, random),
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
