import type { Queryable } from '@frontdesk/database'
import type * as Model from '#db/client.ts'

// The generated Prisma models type the rows, raw SQL reads and writes them. These types narrow the JSON columns.

export interface LineItem {
  id: string
  name: string
  description: string | null
  unitAmount: number
  quantity: number
  taxBehavior: 'exclusive' | 'inclusive' | 'unspecified'
}

/** Why an attempt to pay failed, with the member names of Stripe's `last_payment_error`. */
export interface PaymentError {
  type: 'card_error' | 'invalid_request_error'
  code: string
  decline_code?: string
  message: string
  charge: string
}

export interface AccountController {
  feesPayer: string
  lossesPayments: string
  dashboard: string
  requirementCollection: string
}

type Metadata = Record<string, string>
type WithMetadata<Row> = Omit<Row, 'metadata'> & { metadata: Metadata }

export type Account = Omit<WithMetadata<Model.Account>, 'controller' | 'paidOut'> & {
  controller: AccountController
  paidOut: Record<string, number>
}
export type AccountLink = Model.AccountLink
export type AccountSession = Model.AccountSession
export type Charge = WithMetadata<Model.Charge>
export type CheckoutSession = Omit<WithMetadata<Model.CheckoutSession>, 'lineItems' | 'paymentMetadata'> & {
  lineItems: LineItem[]
  paymentMetadata: Metadata
}
export type Refund = WithMetadata<Model.Refund>
export type Dispute = Model.Dispute
export type PaymentIntent = Omit<WithMetadata<Model.PaymentIntent>, 'lastPaymentError'> & {
  lastPaymentError: PaymentError | null
}
export type WebhookEvent = Model.WebhookEvent
export type WebhookDestination = Model.WebhookDestination

/**
 * Inserts a row. The row is one JSON parameter, which Postgres splits by column name and type, so that all rows of a table
 * share one prepared statement.
 *
 * @param conflict the SQL after `on conflict`, for instance `(id) do update set status = excluded.status`
 */
export async function insert(db: Queryable, table: string, row: object, conflict?: string): Promise<void> {
  const onConflict = conflict === undefined ? '' : `on conflict ${conflict}`
  await db.query({
    name: `insert-${table}`,
    text: `insert into ${table} select row.* from jsonb_populate_record(null::${table}, $1::jsonb) as row ${onConflict}`,
    values: [rowJson(row)],
  })
}

/** Returns a row as JSON with column names: the member `createdAt` becomes `created_at`. */
export function rowJson(row: object): string {
  const columns = Object.entries(row).map(([member, value]: [string, unknown]): [string, unknown] => [
    member.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    value,
  ])
  return JSON.stringify(Object.fromEntries(columns))
}

/** Returns a row from the JSON of `to_jsonb(table)`, with its columns as members and its times as dates. */
export function rowFromJson<Model>(row: Record<string, unknown>): Model {
  const members = Object.entries(row).map(([column, value]): [string, unknown] => [
    column.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
    column.endsWith('_at') && typeof value === 'string' ? new Date(value) : value,
  ])
  return Object.fromEntries(members) as Model
}
