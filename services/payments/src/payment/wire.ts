import type { PaymentProvider, PaymentRecord, PaymentStatus, PaymentUiMode } from '@frontdesk/contracts'
import type { CheckoutRequest, ProviderDispute, Providers } from '@frontdesk/providers'
import type { KeyRing } from '@frontdesk/service/encryption'
import type { Payment as Model } from '../db.ts'
import {
  payableStatuses,
  type CancellationReason,
  type HistoryNote,
  type Payment,
  type PaymentOutcome,
} from './domain.ts'
import { refundFromRow, refundToWire, type RefundRow } from './refund-wire.ts'

/** A payment's row with the rows of its refunds: `paymentColumns` in store.ts selects both. */
export type PaymentRow = Model & { refunds: readonly RefundRow[] }
type Row = PaymentRow

/** A history entry as stored in the row. */
export interface StoredNote {
  at: string
  status: PaymentStatus
  description: string
}

export const toStoredNote = ({ at, status, description }: HistoryNote): StoredNote => ({
  at: at.toISOString(),
  status,
  description,
})

/** Returns the columns of a payment that never change: whoever makes its row sets them. The id is first, then the site. */
export const lastingColumns = (payment: Payment) => ({
  id: payment.recordId,
  site_slug: payment.site.slug,
  organisation_slug: payment.site.owningOrganisation,
  billing_organisation_slug: payment.site.billingOrganisation,
  product: payment.site.practiceManagementSystem,
  pms_specific_id: payment.site.pmsSpecificId,
  provider: payment.provider,
  provider_account_id: payment.providerAccountId,
  ui_mode: payment.uiMode,
  currency: payment.currency,
  amount: payment.amount,
  fee_amount: payment.feeAmount,
  reference: payment.reference,
  customer_id: payment.customerId,
  statement_descriptor: payment.statementDescriptor,
  created_at: payment.createdAt,
})

/** Returns the state that the rules decide on. */
export function fromRow(row: Row, ring: KeyRing): Payment {
  return {
    recordId: row.id,
    site: {
      slug: row.siteSlug,
      practiceManagementSystem: row.product,
      pmsSpecificId: row.pmsSpecificId,
      owningOrganisation: row.organisationSlug,
      billingOrganisation: row.billingOrganisationSlug,
    },
    provider: row.provider as PaymentProvider,
    providerAccountId: row.providerAccountId,
    uiMode: row.uiMode as PaymentUiMode,
    currency: row.currency,
    amount: Number(row.amount),
    feeAmount: Number(row.feeAmount),
    reference: row.reference ?? undefined,
    customerId: row.customerId ?? undefined,
    statementDescriptor: row.statementDescriptor ?? undefined,
    cardStatementText: requestOf(row).cardStatementText,
    createdAt: row.createdAt,
    status: row.status as PaymentStatus,
    version: row.version,
    listed: row.listed,
    outcome: (row.outcome ?? undefined) as PaymentOutcome | undefined,
    cancelling: (row.cancelling ?? undefined) as CancellationReason | undefined,
    tipAmount: Number(row.tipAmount),
    ...paidOf(row),
    refunds: row.refunds.map(refundFromRow),
    amountRefunded: Number(row.amountRefunded),
    dispute: (row.dispute ?? undefined) as unknown as ProviderDispute | undefined,
    unreachableSince: row.unreachableSince ?? undefined,
    paymentId: row.paymentId ?? undefined,
    paymentIntentId: row.paymentIntentId ?? undefined,
    chargeId: row.chargeId ?? undefined,
    declineCode: row.declineCode ?? undefined,
    checkoutUrl: row.checkoutUrl ?? undefined,
    clientSecret: row.clientSecret === null ? undefined : ring.decrypt(row.clientSecret, secretContext(row.id)),
    expiresAt: row.expiresAt ?? undefined,
  }
}

/** Returns what the provider took. Rows that were paid before it was kept say what was asked. */
function paidOf(row: Row): Pick<Payment, 'paidAmount' | 'paidCurrency'> {
  if (row.paidAmount !== null)
    return { paidAmount: Number(row.paidAmount), paidCurrency: row.paidCurrency ?? undefined }
  return row.outcome === 'succeeded' ? { paidAmount: Number(row.amount), paidCurrency: row.currency } : {}
}

/** Binds an encrypted client secret to its payment. */
export const secretContext = (recordId: string): string => `client secret ${recordId}`

/** Returns the provider request as it was stored before it was first sent. */
export const requestOf = (row: Row): CheckoutRequest => row.providerRequest as unknown as CheckoutRequest

export const historyOf = (row: Row): StoredNote[] => row.history as unknown as StoredNote[]

/** Returns the stored payment as the interface shows it. */
export function rowToWire(deps: { providers: Providers; ring: KeyRing }, row: Row): PaymentRecord {
  return toWire(deps, fromRow(row, deps.ring), historyOf(row))
}

/** Returns a payment as the interface shows it. How to pay it is shown only while it can be paid. */
export function toWire(
  { providers }: { providers: Providers },
  payment: Payment,
  history: readonly StoredNote[],
): PaymentRecord {
  return {
    PaymentProvider: payment.provider,
    RecordId: payment.recordId,
    Status: payment.status,
    ...(payment.paymentId === undefined ? {} : { PaymentId: payment.paymentId }),
    ...(payment.reference === undefined ? {} : { Reference: payment.reference }),
    Amount: payment.amount,
    Currency: payment.currency,
    ...(payment.customerId === undefined ? {} : { CustomerId: payment.customerId }),
    ...(payment.statementDescriptor === undefined ? {} : { StatementDescriptor: payment.statementDescriptor }),
    ...(payment.cardStatementText === undefined ? {} : { CardStatementText: payment.cardStatementText }),
    FeeAmount: payment.feeAmount,
    TipAmount: payment.tipAmount,
    ...(payment.paidAmount === undefined ? {} : { PaidAmount: payment.paidAmount }),
    ...(payment.paidCurrency === undefined ? {} : { PaidCurrency: payment.paidCurrency }),
    RefundedAmount: payment.amountRefunded,
    Refunds: payment.refunds.filter(({ listed }) => listed).map((refund) => refundToWire(payment, refund)),
    History: history.map((note) => ({ Timestamp: note.at, Description: note.description, Status: note.status })),
    ...(payableStatuses.includes(payment.status) ? wayToPay(payment, providers) : {}),
  }
}

function wayToPay(payment: Payment, providers: Providers): Partial<PaymentRecord> {
  const expiry = payment.expiresAt === undefined ? {} : { ExpiresAt: payment.expiresAt.toISOString() }
  if (payment.uiMode === 'Hosted') {
    return { ...(payment.checkoutUrl === undefined ? {} : { CheckoutUrl: payment.checkoutUrl }), ...expiry }
  }
  if (payment.clientSecret === undefined) return expiry
  const publishableKey = providers.get(payment.provider)?.publishableKey
  return {
    ClientSecret: payment.clientSecret,
    ...(publishableKey === undefined ? {} : { PublishableKey: publishableKey }),
    ProviderAccountId: payment.providerAccountId,
    ...expiry,
  }
}
