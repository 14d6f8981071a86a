import type { Retentions } from '@frontdesk/database'
import { eventRetentions } from '@frontdesk/events'
import { receivedWebhookRetention, replicaRetention } from '@frontdesk/providers'
import { auditRetentions } from '@frontdesk/service/audit'
import { idempotencyRetention } from '@frontdesk/service/idempotency'

/** How long each table keeps its rows. */
export const retentions: Retentions = {
  payments: { rule: 'for ever: they are the record of the money', by: 'nobody' },
  refunds: { rule: 'for ever: they are the record of the money', by: 'nobody' },
  account_copies: { rule: 'for ever: one row for each provider account', by: 'nobody' },
  deleted_sites: { rule: 'for ever: no payment may be made for a deleted site', by: 'nobody' },
  provider_events: receivedWebhookRetention,
  provider_replicas: replicaRetention,
  idempotency_keys: idempotencyRetention,
  ...auditRetentions,
  ...eventRetentions,
}
