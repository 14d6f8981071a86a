import { Type, type Static } from 'typebox'
import { PaymentProvider, RefundStatus } from './enumerations.ts'
import { closed, DateTime, PageToken, text, Uuid } from './values.ts'

export const RefundCreation = Type.Object(
  {
    // No `default` in the schema: client generators would make the member required.
    Amount: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: Number.MAX_SAFE_INTEGER,
        description: 'Defaults to what is left of the payment.',
      }),
    ),
    Reason: Type.Optional(text(200)),
    Reference: Type.Optional(text(200)),
  },
  closed,
)
export type RefundCreation = Static<typeof RefundCreation>

/** A refund of a payment, whoever made it: `ProviderRefundId` without `Reference` may come from the provider's dashboard. */
export const RefundRecord = Type.Object({
  RefundId: Uuid,
  RecordId: Uuid,
  PaymentProvider,
  ProviderRefundId: Type.Optional(Type.String()),
  Amount: Type.Integer(),
  Currency: Type.String(),
  Status: RefundStatus,
  Reason: Type.Optional(Type.String()),
  Reference: Type.Optional(Type.String()),
  /** Why it failed, in the provider's words. */
  FailureReason: Type.Optional(Type.String()),
  CreatedAt: DateTime,
})
export type RefundRecord = Static<typeof RefundRecord>

export const RefundList = Type.Object({
  Items: Type.Array(RefundRecord),
  NextPageToken: Type.Optional(Type.String()),
})

export const RefundListQuery = Type.Object(
  {
    pageSize: Type.Integer({ minimum: 1, maximum: 250, default: 50 }),
    nextPageToken: Type.Optional(PageToken),
  },
  closed,
)
