import type { Retentions } from '@frontdesk/database'
import { eventRetentions } from '@frontdesk/events'
import { auditRetentions } from '@frontdesk/service/audit'
import { idempotencyRetention } from '@frontdesk/service/idempotency'

const byDay = {
  rule: '`DELIVERY_RETENTION_DAYS` (90 days) after the event',
  by: 'partitions/: a day is dropped whole once nothing in it is open',
}

/** How long each table keeps its rows. */
export const retentions: Retentions = {
  subscriptions: {
    rule: 'for ever; an ended one until its last deliveries are deleted, and after a deleted site for 180 days at least',
    by: 'clean-up.ts',
  },
  replaced_site_keys: {
    rule: '7 days',
    deletion: { table: 'replaced_site_keys', column: 'replaced_at', after: '7 days' },
  },
  endpoints: { rule: 'until no subscription delivers to it', by: 'clean-up.ts' },
  'delivery.recoveries': { rule: '`DELIVERY_RETENTION_DAYS` (90 days) after the end', by: 'clean-up.ts' },
  'delivery.waiting_queues': { rule: 'while deliveries wait', by: 'polling/: the poller' },
  'delivery.waiting_endpoints': { rule: 'while deliveries wait', by: 'polling/: the poller' },
  external_usage: { rule: '7 days', by: 'external-events/: forgotten when the client publishes' },
  'delivery.events': byDay,
  'delivery.deliveries': byDay,
  'delivery.attempts': byDay,
  idempotency_keys: idempotencyRetention,
  ...auditRetentions,
  ...eventRetentions,
}
