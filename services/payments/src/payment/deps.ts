import type { EventOrigin, Relay } from '@frontdesk/events'
import type { Providers } from '@frontdesk/providers'
import type { InternalClient } from '@frontdesk/service/calls'
import type { KeyRing } from '@frontdesk/service/encryption'
import type { Database } from '../db.ts'
import type { PaymentMetrics } from './metrics.ts'
import type { Questions } from './questions.ts'
import type { CheckSchedule } from './schedule.ts'

/** The dependencies of this service's operations. */
export interface PaymentDeps extends Pick<Database, 'pool' | 'prisma'> {
  origin: EventOrigin
  /** Encrypts client secrets, page tokens and stored replies. */
  ring: KeyRing
  providers: Providers
  questions: Questions
  /** Calls the accounts service. */
  internal: InternalClient
  relay: Pick<Relay, 'wake'>
  metrics: PaymentMetrics
  schedule: CheckSchedule
}
