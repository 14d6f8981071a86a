import { type Static, Type } from 'typebox'
import { spells } from './spells.ts'

const chance = {
  /** share of the calls or events that the fault hits, 0 to 1 */
  rate: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
  /** how many of the next calls or events it hits for certain */
  next: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000 })),
}
const fault = Type.Object(chance, { additionalProperties: false })
const timedFault = Type.Object(
  { ...chance, ms: Type.Optional(Type.Integer({ minimum: 0, maximum: 600_000 })) },
  { additionalProperties: false },
)

const faultInSpells = Type.Object({ ...chance, spells: Type.Optional(spells) }, { additionalProperties: false })

/** Which faults occur, and how often. */
export const faultSettings = Type.Object(
  {
    api: Type.Optional(
      Type.Object(
        {
          /** answers 429 and does nothing; with `spells`, `rate` is the share of the calls within one */
          rateLimit: Type.Optional(faultInSpells),
          /** answers 409 `lock_timeout` and does nothing */
          conflict: Type.Optional(fault),
          /** answers 500 and does nothing */
          errorBefore: Type.Optional(fault),
          /** answers 500 to a POST with an Idempotency-Key, does nothing, and replays the 500 to that key */
          savedErrorBefore: Type.Optional(fault),
          /** answers 500 to a POST with an Idempotency-Key after the effect, and replays the 500 to that key */
          savedErrorAfter: Type.Optional(fault),
          /** answers 500 after the effect; the Idempotency-Key replays the success */
          errorAfter: Type.Optional(fault),
          /** never answers after the effect */
          hang: Type.Optional(fault),
          /** resets the connection after the effect */
          reset: Type.Optional(fault),
          /** answers `ms` later (default 50), whatever other fault occurs */
          slow: Type.Optional(timedFault),
        },
        { additionalProperties: false },
      ),
    ),
    rules: Type.Optional(
      Type.Object(
        {
          /** how many API calls the platform may make in a second; the others are answered 429 */
          callsPerSecond: Type.Optional(Type.Integer({ minimum: 1, maximum: 100_000 })),
          /** seconds in the Retry-After of a 429; without it there is none, as at Stripe */
          retryAfter: Type.Optional(Type.Integer({ minimum: 1, maximum: 3_600 })),
          /** refuses to delete an account whose balance is not zero, as in live mode */
          deletionNeedsZeroBalance: Type.Optional(Type.Boolean()),
          /** by how much the clock of the webhooks' signatures is ahead; negative if it is behind */
          signatureClockMs: Type.Optional(Type.Integer({ minimum: -86_400_000, maximum: 86_400_000 })),
        },
        { additionalProperties: false },
      ),
    ),
    refunds: Type.Optional(
      Type.Object(
        {
          /** leaves the refund pending, until the control API decides for the bank */
          pending: Type.Optional(fault),
        },
        { additionalProperties: false },
      ),
    ),
    webhooks: Type.Optional(
      Type.Object(
        {
          /** sends the event twice */
          duplicate: Type.Optional(fault),
          /** delays the event by a random part of `ms` (default 1000), so that later events overtake it */
          reorder: Type.Optional(timedFault),
          /** sends the event `ms` later (default 5000) */
          delay: Type.Optional(timedFault),
          /** never sends the event */
          drop: Type.Optional(fault),
        },
        { additionalProperties: false },
      ),
    ),
  },
  { additionalProperties: false },
)

export type FaultSettings = Static<typeof faultSettings>
export type Rules = NonNullable<FaultSettings['rules']>
export type ApiFault = keyof NonNullable<FaultSettings['api']>
export type RefundFault = keyof NonNullable<FaultSettings['refunds']>
export type WebhookFault = keyof NonNullable<FaultSettings['webhooks']>
