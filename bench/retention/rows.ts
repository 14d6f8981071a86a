import type { Pool } from '@frontdesk/database'

/** Rows of a table that come with payments. */
export interface Inflow {
  service: string
  table: string
  /** How many rows a payment brings. */
  perPayment: number
  /** How long the table's rule keeps a row: an interval of Postgres. A row comes so much older, less the bench's retention. */
  kept: string
  /** Inserts as the product does. $1: rows, $2: the age to write, in seconds. */
  sql: string
}

// The bytes of an event, a reply and a webhook as they are at the soak's payments.
const eventBytes = 1_100
const replyBytes = 900
const webhookBytes = 3_500

/** A row of the outbox is inserted and marked as published later, as by the relay: that leaves a dead row behind. */
const outbox = `
  with new as (
    insert into outbox (id, aggregate_type, aggregate_id, aggregate_version, visibility, subject, headers, payload, published_at)
    select gen_random_uuid(), 'payment', gen_random_uuid()::text, 1, 1, 'evt.pub.payments.payment.succeeded.v1.s12345678',
           '{"content-type": "application/cloudevents+json", "x-event-type": "payment.succeeded"}',
           convert_to(repeat(md5(n::text), ${Math.round(eventBytes / 32)}), 'utf8'), null
      from generate_series(1, $1::int) n returning seq)
  select array_agg(seq)::text[] as seqs, $2::float8 as age from new`

const inbox = `
  insert into inbox (consumer, source, event_id, received_at)
  select 'bench', 'https://frontdesk.example/registry', gen_random_uuid()::text, now() - make_interval(secs => $2::float8)
    from generate_series(1, $1::int)`

const keys = `
  insert into idempotency_keys (client, operation, path, key, fingerprint, resource_id, lease_until, expires_at, status, headers, body)
  select 'client:bench', 'createPayment', '/api/v1/sites/s12345678/payments', gen_random_uuid()::text, sha256('x'),
         gen_random_uuid(), now(), now() - make_interval(secs => $2::float8), 201, '{}', repeat(md5(n::text), ${Math.round(replyBytes / 32)})
    from generate_series(1, $1::int) n`

const paymentWebhooks = `
  insert into provider_events (provider, event_id, type, account, object_id, object_type, payload, received_at, applied_at, note)
  select 'Stripe', 'evt_' || gen_random_uuid(), 'checkout.session.completed', 'acct_1', 'cs_1', 'checkout.session',
         repeat(md5(n::text), ${Math.round(webhookBytes / 32)}), now() - make_interval(secs => $2::float8), now(), 'applied'
    from generate_series(1, $1::int) n`

const accountWebhooks = paymentWebhooks
  .replace(', object_type', '')
  .replace(", 'cs_1', 'checkout.session',", ", 'acct_1',")
  .replace("'checkout.session.completed'", "'account.updated'")

/**
 * What a payment leaves in each database. Payments has three events of its own and two webhooks of the provider; each
 * webhook goes through the outbox too. The others have less than this in practice: an inbox row for each payment is what
 * the table would have if webhook-delivery kept one.
 */
export const inflows: readonly Inflow[] = [
  { service: 'payments', table: 'outbox', perPayment: 4, kept: '7 days', sql: outbox },
  { service: 'payments', table: 'idempotency_keys', perPayment: 1, kept: '0', sql: keys },
  { service: 'payments', table: 'provider_events', perPayment: 2, kept: '30 days', sql: paymentWebhooks },
  { service: 'payments', table: 'inbox', perPayment: 1, kept: '30 days', sql: inbox },
  { service: 'accounts', table: 'provider_events', perPayment: 0.1, kept: '30 days', sql: accountWebhooks },
  { service: 'webhook-delivery', table: 'inbox', perPayment: 1, kept: '30 days', sql: inbox },
  { service: 'webhook-delivery', table: 'idempotency_keys', perPayment: 0.1, kept: '0', sql: keys },
  { service: 'registry', table: 'outbox', perPayment: 0.1, kept: '7 days', sql: outbox },
]

/** Inserts rows that reach the end of their retention after `keepSeconds`. */
export async function insertRows(
  pool: Pool,
  { table, kept, sql }: Inflow,
  rows: number,
  keepSeconds: number,
): Promise<void> {
  const { rows: found } = await pool.query<{ seconds: number }>(
    `select extract(epoch from interval '${kept}')::float8 as seconds`,
  )
  const age = (found[0]?.seconds ?? 0) - keepSeconds
  if (table !== 'outbox') return void (await pool.query(sql, [rows, age]))
  // In one transaction, so that the relay of the running service does not publish what nobody reads.
  const connection = await pool.connect()
  try {
    await connection.query('begin')
    const inserted = await connection.query<{ seqs: string[] }>(sql, [rows, age])
    await connection.query(
      `update outbox set published_at = now() - make_interval(secs => $2), stream = 'EVT_PAYMENTS', stream_seq = 1
        where seq = any($1::bigint[])`,
      [inserted.rows[0]?.seqs ?? [], age],
    )
    await connection.query('commit')
  } catch (error) {
    await connection.query('rollback').catch(() => {})
    throw error
  } finally {
    connection.release()
  }
}

/** The size of a table with its indexes. */
export interface Size {
  rows: number
  bytes: number
}

export async function sizeOf(pool: Pool, table: string): Promise<Size> {
  const { rows } = await pool.query<Size>(
    `select (select count(*)::int from ${table}) as rows, pg_total_relation_size('${table}')::float8 as bytes`,
  )
  return rows[0] ?? { rows: 0, bytes: 0 }
}
