import type { Retentions } from '@frontdesk/database'

const record = { rule: 'for ever: the ledger that tests compare with', by: 'nobody' }

/** How long each table keeps its rows. */
export const retentions: Retentions = {
  accounts: record,
  account_sessions: record,
  account_links: record,
  checkout_sessions: record,
  payment_intents: record,
  charges: record,
  refunds: record,
  disputes: record,
  fault_settings: { rule: 'one row', by: 'nobody' },
  inbox_requests: { rule: 'the newest 200 of an inbox, and 2,000 in all', by: 'the next webhook' },
  inbox_secrets: { rule: 'the newest 100 of an inbox', by: 'the next secret' },
  idempotency_records: {
    rule: '24 hours, as at Stripe',
    deletion: { table: 'idempotency_records', column: 'created_at', after: '24 hours' },
  },
  webhook_events: {
    rule: '30 days, as at Stripe',
    deletion: { table: 'webhook_events', column: 'created_at', after: '30 days' },
  },
}
