import { type Static, Type } from 'typebox'

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

/** Which faults occur, and how often. */
export const faultSettings = Type.Object(
  {
    api: Type.Optional(
      Type.Object(
        {
          /** answers 429 and does nothing */
          rateLimit: Type.Optional(fault),
          /** answers 409 `lock_timeout` and does nothing */
          conflict: Type.Optional(fault),
          /** answers 500 and does nothing */
          errorBefore: Type.Optional(fault),
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
export type ApiFault = keyof NonNullable<FaultSettings['api']>
export type WebhookFault = keyof NonNullable<FaultSettings['webhooks']>
