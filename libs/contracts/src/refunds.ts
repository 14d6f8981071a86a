import { Type, type Static } from 'typebox'
import { PaymentProvider, RefundStatus } from './enumerations.ts'
import { pageOf, paging } from './paging.ts'
import { amount, currencyCode, described, text, told } from './members.ts'
import { closed, DateTime, Uuid } from './values.ts'

export const RefundCreation = Type.Object(
  {
    // No `default` in the schema: client generators would make the member required.
    Amount: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: Number.MAX_SAFE_INTEGER,
        format: 'int64',
        description:
          'The money to give back, in minor units of the currency that was taken. Defaults to what is left of the payment.',
      }),
    ),
    Reason: Type.Optional(text(200, 'Your reason. It comes back in the record.')),
    Reference: Type.Optional(
      text(200, 'Your reference. It comes back in the record, and in events as `refundReference`.'),
    ),
  },
  { ...closed, description: 'A new refund.' },
)
export type RefundCreation = Static<typeof RefundCreation>

/** A refund of a payment, whoever made it: `ProviderRefundId` without `Reference` may come from the provider's dashboard. */
export const RefundRecord = Type.Object(
  {
    RefundId: described(Uuid, 'Our id of the refund.'),
    RecordId: described(Uuid, 'Our id of the payment.'),
    PaymentProvider: described(PaymentProvider, 'The payment provider of the payment.'),
    ProviderRefundId: Type.Optional(told("The provider's id of the refund, once the provider has answered.")),
    Amount: amount('The money that goes back, in minor units of `Currency`.'),
    Currency: currencyCode('The currency that was taken.'),
    Status: RefundStatus,
    Reason: Type.Optional(told('Your reason.')),
    Reference: Type.Optional(told("Your reference. Absent for refunds made in the provider's dashboard.")),
    FailureReason: Type.Optional(told("Why it failed, in the provider's words.")),
    CreatedAt: described(DateTime, 'When it was created.'),
  },
  { description: "A refund of a payment, whoever made it: you, or somebody in the provider's dashboard." },
)
export type RefundRecord = Static<typeof RefundRecord>

export const RefundList = pageOf(RefundRecord, 'A page of refunds.')

export const RefundListQuery = Type.Object(paging, closed)
