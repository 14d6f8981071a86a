import { type Static, Type } from 'typebox'

/** When a fault may occur: in spells, the first of which begins with the setting. */
export const spells = Type.Object(
  {
    /** how long a spell lasts */
    lastMs: Type.Integer({ minimum: 1, maximum: 600_000 }),
    /** how long there is none between two spells */
    betweenMs: Type.Integer({ minimum: 1, maximum: 3_600_000 }),
  },
  { additionalProperties: false },
)
export type Spells = Static<typeof spells>

/** Returns whether a spell lasts so many milliseconds after the setting. Without spells it always does. */
export function isInSpell(setting: Spells | undefined, elapsedMs: number): boolean {
  return setting === undefined || elapsedMs % (setting.lastMs + setting.betweenMs) < setting.lastMs
}
