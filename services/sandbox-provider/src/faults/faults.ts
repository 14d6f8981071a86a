import type { Pool } from '@frontdesk/database'
import { newBucket } from './bucket.ts'
import type { ApiFault, FaultSettings, RefundFault, Rules, WebhookFault } from './settings.ts'
import { isInSpell, type Spells } from './spells.ts'
import { findFaultSettings, saveFaultSettings } from './store.ts'

interface Chance {
  rate?: number
  next?: number
  ms?: number
  spells?: Spells
}

interface FaultCounts {
  api: Partial<Record<ApiFault | 'callsPerSecond', number>>
  refunds: Partial<Record<RefundFault, number>>
  webhooks: Partial<Record<WebhookFault, number>>
}

/** The faults in force. */
export interface Faults {
  /** Draws whether the fault occurs now; `ms` is its duration if one is set. */
  api: (name: ApiFault) => { ms: number | undefined } | undefined
  refund: (name: RefundFault) => { ms: number | undefined } | undefined
  webhook: (name: WebhookFault) => { ms: number | undefined } | undefined
  /** The rules in force. */
  rules: () => Rules
  /** Counts a call of the API. Returns whether it is beyond the calls that a second allows. */
  isOverLimit: () => boolean
  /** The settings in force; `next` counts down. */
  settings: () => FaultSettings
  /** How often each fault has occurred since the process started. */
  met: () => FaultCounts
  /** Replaces all settings; `{}` ends all faults. They outlive a restart, except for `next`. */
  set: (settings: FaultSettings) => Promise<void>
}

/** Opens the faults that were in force when the process stopped. */
export async function openFaults(pool: Pool): Promise<Faults> {
  const bucket = newBucket()
  let settings = withoutNext(await findFaultSettings(pool))
  let setAt = performance.now()
  const met: FaultCounts = { api: {}, refunds: {}, webhooks: {} }
  function draw<Name extends string>(chance: Chance | undefined, counts: Partial<Record<Name, number>>, name: Name) {
    if (chance === undefined) return undefined
    if (chance.next !== undefined && chance.next > 0) chance.next -= 1
    else if (!isInSpell(chance.spells, performance.now() - setAt)) return undefined
    else if (chance.rate === undefined || Math.random() >= chance.rate) return undefined
    counts[name] = (counts[name] ?? 0) + 1
    return { ms: chance.ms }
  }
  return {
    api: (name) => draw(settings.api?.[name], met.api, name),
    refund: (name) => draw(settings.refunds?.[name], met.refunds, name),
    webhook: (name) => draw(settings.webhooks?.[name], met.webhooks, name),
    rules: () => settings.rules ?? {},
    isOverLimit() {
      const limit = settings.rules?.callsPerSecond
      if (limit === undefined || bucket.take(limit, performance.now())) return false
      met.api.callsPerSecond = (met.api.callsPerSecond ?? 0) + 1
      return true
    },
    settings: () => structuredClone(settings),
    met: () => structuredClone(met),
    async set(next) {
      await saveFaultSettings(pool, next)
      settings = structuredClone(next)
      setAt = performance.now()
    },
  }
}

function withoutNext(settings: FaultSettings): FaultSettings {
  const kept = (group: Record<string, Chance> | undefined) =>
    Object.fromEntries(Object.entries(group ?? {}).map(([name, { next: _next, ...rest }]) => [name, rest]))
  return {
    api: kept(settings.api),
    rules: settings.rules ?? {},
    refunds: kept(settings.refunds),
    webhooks: kept(settings.webhooks),
  }
}
