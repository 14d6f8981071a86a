import { Type, type Static } from 'typebox'
import { PaymentProvider, PaymentStatus, PaymentUiMode, TaxBehaviour } from './enumerations.ts'
import { pageOf, paging } from './paging.ts'
import { RefundRecord } from './refunds.ts'
import { amount, currencyCode, described, text, told, url } from './members.ts'
import { closed, Currency, DateTime, HttpUrl, largestInt64, MinorUnits, Slug, Uuid } from './values.ts'

export const PaymentLineItem = Type.Object(
  {
    Price: described(MinorUnits, 'The price of one, in minor units of the currency of the payment.'),
    // No `default` in the schema: client generators would make the member required.
    Quantity: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: Number.MAX_SAFE_INTEGER,
        format: 'int64',
        description: 'How many. Defaults to 1.',
      }),
    ),
    ProductName: Type.String({
      minLength: 1,
      maxLength: 250,
      pattern: '^[^\\u0000-\\u001f\\u007f]*\\S[^\\u0000-\\u001f\\u007f]*$',
      description: 'What the customer pays for, as the checkout shows it.',
    }),
    ProductDescription: Type.Optional(text(500, 'More about it, as the checkout shows it.')),
    TaxBehaviour: Type.Optional(TaxBehaviour),
  },
  { ...closed, description: 'A line of a payment.' },
)
export type PaymentLineItem = Static<typeof PaymentLineItem>

// The characters of a URI (RFC 3986), and the placeholder that the provider fills in, which is not a valid URI.
const SuccessUrl = Type.String({
  maxLength: 2048,
  description:
    'Where the customer is sent after a successful payment, in hosted mode: an absolute URL. `{CHECKOUT_SESSION_ID}` in it becomes the `PaymentId`. Absent: a page of ours.',
  pattern: "^[hH][tT][tT][pP][sS]?://[^/?#{\\s](?:[\\w.~:/?#\\[\\]@!$&'()*+,;=%-]|\\{CHECKOUT_SESSION_ID\\})*$",
})

export const PaymentCreation = Type.Object(
  {
    PaymentProvider: described(PaymentProvider, 'The payment provider that takes the money.'),
    Currency: described(Currency, 'The currency of the payment, by its code of ISO 4217.'),
    CustomerId: Type.Optional(text(200, 'Your identifier of the customer.')),
    Reference: Type.Optional(text(200, 'Your reference of the payment. It comes back in the record and in events.')),
    StatementDescriptor: Type.Optional(
      text(22, "What the customer's card statement shows. See `CardStatementText` of the record."),
    ),
    // int64 (interface, "Limits"). A fee above the payment's amount is reduced to it.
    FeeAmount: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: largestInt64,
        format: 'int64',
        description:
          'The fee that the platform takes of the payment, in minor units. A fee above the amount is reduced to it. Defaults to 0.',
      }),
    ),
    // Optional in the interface, which has no other member for the amount.
    LineItems: Type.Optional(
      Type.Array(PaymentLineItem, {
        maxItems: 100,
        description:
          'What the customer pays for. Send at least one item: the amount of a payment is the sum of `Price` times `Quantity`, and without items the answer is 422 `line_items_required`.',
      }),
    ),
    UiMode: Type.Optional(PaymentUiMode),
    SuccessUrl: Type.Optional(SuccessUrl),
    CancelUrl: Type.Optional(
      described(HttpUrl, 'Where the checkout sends a customer who goes back: an absolute URL. Absent: no back button.'),
    ),
  },
  { ...closed, description: 'A new payment.' },
)
export type PaymentCreation = Static<typeof PaymentCreation>

export const HistoryEntry = Type.Object(
  {
    Timestamp: described(DateTime, 'When the status changed.'),
    Description: told('What happened.'),
    Status: described(PaymentStatus, 'The status from then on.'),
  },
  { description: 'A change of the status of a payment.' },
)
export type HistoryEntry = Static<typeof HistoryEntry>

export const PaymentRecord = Type.Object(
  {
    PaymentProvider: described(PaymentProvider, 'The payment provider that takes the money.'),
    RecordId: described(Uuid, 'Our id of the payment.'),
    Status: PaymentStatus,
    PaymentId: Type.Optional(told("The provider's id of the checkout, once the provider has confirmed it.")),
    Reference: Type.Optional(told('Your reference of the payment.')),
    Amount: amount('The sum of the line items, in minor units of `Currency`.'),
    Currency: currencyCode('The currency that you asked for.'),
    CustomerId: Type.Optional(told('Your identifier of the customer.')),
    StatementDescriptor: Type.Optional(told('The statement descriptor that you asked for.')),
    // An addition to the interface.
    CardStatementText: Type.Optional(
      told(
        "What a card statement shows, at most 22 characters: the account's prefix and as much of `StatementDescriptor` as fits after it. Absent if no `StatementDescriptor` was given, or the prefix is not known.",
      ),
    ),
    FeeAmount: amount('The fee that the platform takes of the payment.'),
    TipAmount: amount('The tip that the customer added.'),
    PaidAmount: Type.Optional(
      amount(
        'The sum that the provider took, once it is paid, in minor units of `PaidCurrency`. It may differ from `Amount`.',
      ),
    ),
    PaidCurrency: Type.Optional(currencyCode('The currency that the provider took.')),
    RefundedAmount: amount('The sum of the refunds that have succeeded.'),
    Refunds: Type.Array(RefundRecord, { description: 'All refunds, oldest first.' }),
    History: Type.Array(HistoryEntry, { description: 'All changes of the status, oldest first.' }),
    // Additions to the interface, present while the payment can be paid.
    CheckoutUrl: Type.Optional(url('Where the customer pays, in hosted mode. Present while the payment can be paid.')),
    ClientSecret: Type.Optional(
      told(
        "A secret with which the provider's front end shows the checkout, in embedded mode. Present while it can be paid.",
      ),
    ),
    PublishableKey: Type.Optional(
      told("The provider's public key that its front end needs, in embedded mode. Present while it can be paid."),
    ),
    ProviderAccountId: Type.Optional(
      told("The provider's account that its front end must name, in embedded mode. Present while it can be paid."),
    ),
    ExpiresAt: Type.Optional(described(DateTime, 'When the checkout expires. Present while the payment can be paid.')),
  },
  { description: 'A payment: one request for money, with one checkout.' },
)
export type PaymentRecord = Static<typeof PaymentRecord>

export const PaymentListQuery = Type.Object(
  {
    ...paging,
    Status: Type.Optional(
      Type.Array(PaymentStatus, { maxItems: 11, description: 'Only payments with one of these statuses.' }),
    ),
    PaymentProvider: Type.Optional(described(PaymentProvider, 'Only payments of this provider.')),
    Reference: Type.Optional(text(200, 'Only payments with exactly this reference.')),
    CreatedFrom: Type.Optional(described(DateTime, 'Only payments that were created at this time or later.')),
    CreatedTo: Type.Optional(described(DateTime, 'Only payments that were created before this time.')),
  },
  closed,
)
export type PaymentListQuery = Static<typeof PaymentListQuery>

export const PaymentList = pageOf(PaymentRecord, 'A page of payments.')

/** A payment in a list that goes across sites. */
export const PaymentOfSite = Type.Object(
  { SiteSlug: described(Slug, 'The site that the payment was created for.'), ...PaymentRecord.properties },
  { description: 'A payment, with its site.' },
)
export type PaymentOfSite = Static<typeof PaymentOfSite>

export const AllPaymentsQuery = Type.Object(
  {
    ...PaymentListQuery.properties,
    Sites: Type.Optional(
      Type.Array(Slug, {
        maxItems: 250,
        description: 'Only payments of these sites. A site that is not yours has none.',
      }),
    ),
  },
  closed,
)
export type AllPaymentsQuery = Static<typeof AllPaymentsQuery>

export const AllPaymentsList = pageOf(PaymentOfSite, 'A page of payments of several sites.')
