import type { Pool } from '@frontdesk/database'
import { type Static, Type } from 'typebox'

const chance = {
  /** share of the calls or events that it hits, 0 to 1 */
  rate: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
  /** how many of the next ones it hits for certain */
  next: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000 })),
}
const fault = Type.Object(chance, { additionalProperties: false })
const timedFault = Type.Object(
  { ...chance, ms: Type.Optional(Type.Integer({ minimum: 0, maximum: 600_000 })) },
  { additionalProperties: false },
)

/** What goes wrong, and how often. */
export const faultSettings = Type.Object(
  {
    api: Type.Optional(
      Type.Object(
        {
          /** 429, nothing done */
          rateLimit: Type.Optional(fault),
          /** 409 `lock_timeout`, nothing done */
          conflict: Type.Optional(fault),
          /** 500, nothing done */
          errorBefore: Type.Optional(fault),
          /** 500 although everything was done; its key replays the success */
          errorAfter: Type.Optional(fault),
          /** everything was done, and no answer comes */
          hang: Type.Optional(fault),
          /** everything was done, and the connection is cut */
          reset: Type.Optional(fault),
          /** the answer takes `ms` longer (50), beside whatever else happens */
          slow: Type.Optional(timedFault),
        },
        { additionalProperties: false },
      ),
    ),
    webhooks: Type.Optional(
      Type.Object(
        {
          /** sent twice */
          duplicate: Type.Optional(fault),
          /** held back for up to `ms` (1000), so that later ones overtake it */
          reorder: Type.Optional(timedFault),
          /** sent `ms` later (5000) */
          delay: Type.Optional(timedFault),
          /** never sent */
          drop: Type.Optional(fault),
        },
        { additionalProperties: false },
      ),
    ),
  },
  { additionalProperties: false },
)

export type FaultSettings = Static<typeof faultSettings>
export type ApiFault = keyof NonNullable<FaultSettings['api']>
export type WebhookFault = keyof NonNullable<FaultSettings['webhooks']>

export interface FaultCounts {
  api: Partial<Record<ApiFault, number>>
  webhooks: Partial<Record<WebhookFault, number>>
}

interface Chance {
  rate?: number
  next?: number
  ms?: number
}

/** The faults in force. */
export interface Faults {
  /** Whether this fault hits now; `ms` is how long, where it is a matter of time. */
  api: (name: ApiFault) => { ms: number | undefined } | undefined
  webhook: (name: WebhookFault) => { ms: number | undefined } | undefined
  /** What is left of them: `next` counts down. */
  settings: () => FaultSettings
  /** How often each has hit since the process started. */
  met: () => FaultCounts
  /** Replaces all of them; `{}` ends them. They outlive a restart, except for what `next` had left. */
  set: (settings: FaultSettings) => Promise<void>
}

/** Makes faults out of settings; `random` is from 0 to 1, exclusive. */
export function createFaults(
  initial: FaultSettings,
  save: (settings: FaultSettings) => Promise<void>,
  random: () => number = Math.random,
): Faults {
  let settings = structuredClone(initial)
  const met: FaultCounts = { api: {}, webhooks: {} }
  function draw<Name extends string>(wish: Chance | undefined, counts: Partial<Record<Name, number>>, name: Name) {
    if (wish === undefined) return undefined
    if (wish.next !== undefined && wish.next > 0) wish.next -= 1
    else if (wish.rate === undefined || random() >= wish.rate) return undefined
    counts[name] = (counts[name] ?? 0) + 1
    return { ms: wish.ms }
  }
  return {
    api: (name) => draw(settings.api?.[name], met.api, name),
    webhook: (name) => draw(settings.webhooks?.[name], met.webhooks, name),
    settings: () => structuredClone(settings),
    met: () => structuredClone(met),
    async set(next) {
      await save(next)
      settings = structuredClone(next)
    },
  }
}

/** Opens the faults that were in force when the process stopped. */
export async function openFaults(pool: Pool): Promise<Faults> {
  const found = await pool.query<{ settings: FaultSettings }>('select settings from fault_settings')
  return createFaults(withoutCounts(found.rows[0]?.settings ?? {}), async (settings) => {
    await pool.query(
      `insert into fault_settings (id, settings) values (1, $1)
       on conflict (id) do update set settings = excluded.settings`,
      [settings],
    )
  })
}

function withoutCounts(settings: FaultSettings): FaultSettings {
  const kept = (group: Record<string, Chance> | undefined) =>
    Object.fromEntries(Object.entries(group ?? {}).map(([name, { next: _next, ...rest }]) => [name, rest]))
  return { api: kept(settings.api), webhooks: kept(settings.webhooks) }
}
