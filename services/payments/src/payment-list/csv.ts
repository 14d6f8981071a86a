import type { PaymentOfSite } from '@frontdesk/contracts'

type Value = string | number | undefined

/** The columns of the CSV, in order. New ones are only ever added at the end. */
const columns: readonly (readonly [string, (payment: PaymentOfSite) => Value])[] = [
  ['RecordId', ({ RecordId }) => RecordId],
  ['SiteSlug', ({ SiteSlug }) => SiteSlug],
  ['CreatedAt', ({ History }) => History[0]?.Timestamp],
  ['Status', ({ Status }) => Status],
  ['StatusAt', ({ History }) => History.at(-1)?.Timestamp],
  ['PaymentProvider', ({ PaymentProvider }) => PaymentProvider],
  ['PaymentId', ({ PaymentId }) => PaymentId],
  ['Reference', ({ Reference }) => asText(Reference)],
  ['CustomerId', ({ CustomerId }) => asText(CustomerId)],
  ['Currency', ({ Currency }) => Currency],
  ['Amount', ({ Amount }) => Amount],
  ['FeeAmount', ({ FeeAmount }) => FeeAmount],
  ['TipAmount', ({ TipAmount }) => TipAmount],
  ['PaidCurrency', ({ PaidCurrency }) => PaidCurrency],
  ['PaidAmount', ({ PaidAmount }) => PaidAmount],
  ['RefundedAmount', ({ RefundedAmount }) => RefundedAmount],
]

/**
 * Returns payments as CSV (RFC 4180): a line each, amounts in minor units, times in ISO 8601, an empty field for what is absent.
 * Addresses and secrets of open checkouts are not among the columns.
 *
 * @param hasHeader whether the names of the columns go before the first payment
 */
export function toCsv(payments: readonly PaymentOfSite[], { hasHeader }: { hasHeader: boolean }): string {
  const header = hasHeader ? [columns.map(([name]) => name)] : []
  const lines = [...header, ...payments.map((payment) => columns.map(([, valueOf]) => valueOf(payment)))]
  return lines.map((values) => `${values.map(field).join(',')}\r\n`).join('')
}

function field(value: Value): string {
  const text = String(value ?? '')
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/**
 * What a spreadsheet takes for the beginning of a formula: at the start of a field, and after what divides columns in other countries, where
 * it pays no heed to our quotes.
 */
const formula = /(?<=^|[;\t\r\n])(?=[\s"]*[=+\-@＝＋－＠])/g

/** Returns text of a client with an apostrophe before each part of it that a spreadsheet would take for a formula. */
function asText(text: string | undefined): string | undefined {
  return text?.replaceAll(formula, "'")
}
