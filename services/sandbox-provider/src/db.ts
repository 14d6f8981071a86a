import type { Queryable } from '@frontdesk/database'
import type * as Model from '#db/client.ts'

// Rows are typed by the generated Prisma models and read by raw SQL: one way to the database, and each change of state
// commits with its webhook event in one statement or one short transaction. JSON columns are narrowed here.

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

export type Account = Omit<WithMetadata<Model.Account>, 'controller'> & { controller: AccountController }
export type AccountLink = Model.AccountLink
export type AccountSession = Model.AccountSession
export type Charge = WithMetadata<Model.Charge>
export type CheckoutSession = Omit<WithMetadata<Model.CheckoutSession>, 'lineItems' | 'paymentMetadata'> & {
  lineItems: LineItem[]
  paymentMetadata: Metadata
}
export type IdempotencyRecord = Model.IdempotencyRecord
export type PaymentIntent = Omit<WithMetadata<Model.PaymentIntent>, 'lastPaymentError'> & {
  lastPaymentError: PaymentError | null
}
export type WebhookEvent = Model.WebhookEvent
export type WebhookDestination = Model.WebhookDestination

/**
 * Inserts a whole row, as one JSON parameter that Postgres takes apart by column name and type: the statement's text is
 * the same for every row of a table.
 *
 * @param conflict what follows `on conflict`, for instance `(id) do update set status = excluded.status`
 */
export async function insert(db: Queryable, table: string, row: object, conflict?: string): Promise<void> {
  const onConflict = conflict === undefined ? '' : `on conflict ${conflict}`
  await db.query({
    name: `insert-${table}`,
    text: `insert into ${table} select row.* from jsonb_populate_record(null::${table}, $1::jsonb) as row ${onConflict}`,
    values: [rowJson(row)],
  })
}

/** A row as JSON with its columns' names: the member `createdAt` is the column `created_at`. */
export function rowJson(row: object): string {
  const columns = Object.entries(row).map(([member, value]: [string, unknown]): [string, unknown] => [
    member.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    value,
  ])
  return JSON.stringify(Object.fromEntries(columns))
}

/** A row that came as JSON (`to_jsonb(table)`): its columns as members, its times as dates. */
export function rowFromJson<Model>(row: Record<string, unknown>): Model {
  const members = Object.entries(row).map(([column, value]): [string, unknown] => [
    column.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
    column.endsWith('_at') && typeof value === 'string' ? new Date(value) : value,
  ])
  return Object.fromEntries(members) as Model
}
