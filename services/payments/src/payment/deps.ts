import type { EventOrigin, Relay } from '@frontdesk/events'
import type { Providers } from '@frontdesk/providers'
import type { ServiceClock } from '@frontdesk/service/background'
import type { InternalClient } from '@frontdesk/service/calls'
import type { KeyRing } from '@frontdesk/service/encryption'
import type { Database } from '../db.ts'
import type { PaymentMetrics } from './metrics.ts'
import type { Questions } from './questions.ts'
import type { CheckSchedule } from './schedule.ts'

/** The dependencies of this service's operations. */
export interface PaymentDeps extends Pick<Database, 'pool' | 'prisma' | 'listPool'> {
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
  /** The time by Postgres's clock, which all replicas share: the age of a row does not depend on this host's own clock. */
  now: ServiceClock['now']
}
