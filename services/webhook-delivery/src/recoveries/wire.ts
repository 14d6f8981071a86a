import type { Recovery as RecoveryBody } from '@frontdesk/contracts'
import type { Recovery } from './store.ts'

/** The recovery as clients see it. */
export function toRecovery({ id, since, deliveries, createdAt, completedAt }: Recovery): RecoveryBody {
  return {
    RecoveryId: id,
    Since: since.toISOString(),
    State: completedAt === null ? 'running' : 'completed',
    Deliveries: deliveries,
    CreatedAt: createdAt.toISOString(),
    ...(completedAt === null ? {} : { CompletedAt: completedAt.toISOString() }),
  }
}
