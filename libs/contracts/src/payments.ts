import { Type, type Static } from 'typebox'
import { PaymentProvider, PaymentStatus, PaymentUiMode, TaxBehaviour } from './enumerations.ts'
import { RefundRecord } from './refunds.ts'
import { closed, Currency, DateTime, described, HttpUrl, MinorUnits, PageToken, Slug, text, Uuid } from './values.ts'

export const PaymentLineItem = Type.Object(
  {
    Price: MinorUnits,
    // No `default` in the schema: client generators would make the member required.
    Quantity: Type.Optional(
      Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, description: 'Defaults to 1.' }),
    ),
    ProductName: Type.String({
      minLength: 1,
      maxLength: 250,
      pattern: '^[^\\u0000-\\u001f\\u007f]*\\S[^\\u0000-\\u001f\\u007f]*$',
    }),
    ProductDescription: Type.Optional(text(500)),
    TaxBehaviour: Type.Optional(TaxBehaviour),
  },
  closed,
)
export type PaymentLineItem = Static<typeof PaymentLineItem>

// The characters of a URI (RFC 3986), and the placeholder that the provider fills in, which is not a valid URI.
const SuccessUrl = Type.String({
  maxLength: 2048,
  pattern: "^[hH][tT][tT][pP][sS]?://[^/?#{\\s](?:[\\w.~:/?#\\[\\]@!$&'()*+,;=%-]|\\{CHECKOUT_SESSION_ID\\})*$",
})

export const PaymentCreation = Type.Object(
  {
    PaymentProvider,
    Currency,
    CustomerId: Type.Optional(text(200)),
    Reference: Type.Optional(text(200)),
    StatementDescriptor: Type.Optional(text(22)),
    // int64 (interface, "Limits"). A fee above the payment's amount is reduced to it.
    FeeAmount: Type.Optional(Type.Integer({ minimum: 0, maximum: 2 ** 63 })),
    // Optional in the interface, which has no other member for the amount.
    LineItems: Type.Optional(
      Type.Array(PaymentLineItem, {
        maxItems: 100,
        description:
          'What is paid for. Send at least one item: the amount of a payment is the sum of Price times Quantity, and without items the request is 422 `line_items_required`.',
      }),
    ),
    UiMode: Type.Optional(PaymentUiMode),
    SuccessUrl: Type.Optional(SuccessUrl),
    CancelUrl: Type.Optional(HttpUrl),
  },
  closed,
)
export type PaymentCreation = Static<typeof PaymentCreation>

export const HistoryEntry = Type.Object({ Timestamp: DateTime, Description: Type.String(), Status: PaymentStatus })
export type HistoryEntry = Static<typeof HistoryEntry>

export const PaymentRecord = Type.Object({
  PaymentProvider,
  RecordId: Uuid,
  Status: PaymentStatus,
  PaymentId: Type.Optional(Type.String()),
  Reference: Type.Optional(Type.String()),
  Amount: Type.Integer(),
  Currency: Type.String(),
  CustomerId: Type.Optional(Type.String()),
  StatementDescriptor: Type.Optional(Type.String()),
  // An addition to the interface.
  CardStatementText: Type.Optional(
    Type.String({
      description:
        "What a card statement shows, at most 22 characters: the account's prefix and as much of StatementDescriptor as fits after it. Absent if no StatementDescriptor was given, or the prefix is not known.",
    }),
  ),
  FeeAmount: Type.Integer(),
  TipAmount: Type.Integer(),
  // The sum that the provider took, once it is paid. It may differ from the order.
  PaidAmount: Type.Optional(Type.Integer()),
  PaidCurrency: Type.Optional(Type.String()),
  /** The sum of the refunds that have succeeded. */
  RefundedAmount: Type.Integer(),
  Refunds: Type.Array(RefundRecord),
  History: Type.Array(HistoryEntry),
  // Additions to the interface, present while the payment can be paid.
  CheckoutUrl: Type.Optional(Type.String()),
  ClientSecret: Type.Optional(Type.String()),
  PublishableKey: Type.Optional(Type.String()),
  ProviderAccountId: Type.Optional(Type.String()),
  ExpiresAt: Type.Optional(DateTime),
})
export type PaymentRecord = Static<typeof PaymentRecord>

export const PaymentListQuery = Type.Object(
  {
    pageSize: Type.Integer({ minimum: 1, maximum: 250, default: 50 }),
    nextPageToken: Type.Optional(PageToken),
    Status: Type.Optional(Type.Array(PaymentStatus, { maxItems: 11 })),
    PaymentProvider: Type.Optional(PaymentProvider),
    Reference: Type.Optional(text(200)),
    CreatedFrom: Type.Optional(DateTime),
    CreatedTo: Type.Optional(DateTime),
  },
  closed,
)
export type PaymentListQuery = Static<typeof PaymentListQuery>

export const PaymentList = Type.Object({
  Items: Type.Array(PaymentRecord),
  NextPageToken: Type.Optional(Type.String()),
})

/** A payment in a list that goes across sites. */
export const PaymentOfSite = Type.Object({
  SiteSlug: described(Slug, 'The site that the payment was created for.'),
  ...PaymentRecord.properties,
})
export type PaymentOfSite = Static<typeof PaymentOfSite>

export const AllPaymentsQuery = Type.Object(
  {
    pageSize: Type.Integer({
      minimum: 1,
      maximum: 250,
      default: 50,
      description: 'The largest number of payments in a page.',
    }),
    nextPageToken: Type.Optional(Type.String({ minLength: 1, maxLength: 4096 })),
    Sites: Type.Optional(
      Type.Array(Slug, {
        maxItems: 250,
        description: 'Only payments of these sites. A site that is not yours has none.',
      }),
    ),
    Status: Type.Optional(
      Type.Array(PaymentStatus, { maxItems: 11, description: 'Only payments in one of these statuses.' }),
    ),
    PaymentProvider: Type.Optional(PaymentProvider),
    Reference: Type.Optional(
      described(text(200), 'Only payments with exactly this Reference, at whichever of your sites.'),
    ),
    CreatedFrom: Type.Optional(described(DateTime, 'Only payments that were created at this time or later.')),
    CreatedTo: Type.Optional(described(DateTime, 'Only payments that were created before this time.')),
  },
  closed,
)
export type AllPaymentsQuery = Static<typeof AllPaymentsQuery>

export const AllPaymentsList = Type.Object({
  Items: Type.Array(PaymentOfSite, { description: 'The payments, newest first.' }),
  NextPageToken: Type.Optional(
    Type.String({ description: 'Send it as nextPageToken for the next page. Absent on the last page.' }),
  ),
})
