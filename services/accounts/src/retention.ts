import type { Retentions } from '@frontdesk/database'
import { eventRetentions } from '@frontdesk/events'
import { receivedWebhookRetention, replicaRetention } from '@frontdesk/providers'
import { auditRetentions } from '@frontdesk/service/audit'
import { idempotencyRetention } from '@frontdesk/service/idempotency'

/** How long each table keeps its rows. */
export const retentions: Retentions = {
  accounts: { rule: 'for ever: payments name them', by: 'nobody' },
  deleted_sites: { rule: 'for ever: no account may be opened for a deleted site', by: 'nobody' },
  provider_events: receivedWebhookRetention,
  provider_replicas: replicaRetention,
  idempotency_keys: idempotencyRetention,
  ...auditRetentions,
  ...eventRetentions,
}
