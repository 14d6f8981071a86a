import type { Retentions } from '@frontdesk/database'
import { eventRetentions } from '@frontdesk/events'
import { auditRetentions } from '@frontdesk/service/audit'
import { idempotencyRetention } from '@frontdesk/service/idempotency'

/** How long each table keeps its rows. */
export const retentions: Retentions = {
  sites: { rule: 'for ever: a slug is never used again', by: 'nobody' },
  organisations: { rule: 'for ever: a slug is never used again', by: 'nobody' },
  site_keys: { rule: 'until the site is deleted', by: 'the request that deletes the site' },
  practice_management_systems: { rule: 'for ever: the catalogue', by: 'nobody' },
  idempotency_keys: idempotencyRetention,
  ...auditRetentions,
  outbox: eventRetentions.outbox,
  outbox_streams: eventRetentions.outbox_streams,
}
