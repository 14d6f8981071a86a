import type { LedgerEntry } from '../../system/provider.ts'
import type { LoadLog } from '../load/log.ts'

/** A payment's row. */
export interface PaymentRow {
  id: string
  reference: string
  site: string
  status: string
  outcome: string | null
  paymentId: string | null
  eventCount: number
}

/** An event in a service's outbox. */
export interface OutboxRow {
  service: string
  id: string
  aggregate: string
  version: number
  visibility: number
  subject: string
  published: boolean
  /** SHA-256 of the payload. */
  digest: string
}

/** A message in a stream, in the stream's order. */
export interface StreamMessage {
  stream: string
  id: string
  /** Present for an outcome: the payment that it is of. */
  outcomeOf?: string
  /** The event's type. */
  type: string
}

/** A delivery, with the address of its subscription. */
export interface DeliveryRow {
  eventId: string
  subscriptionId: string
  url: string
  state: string
}

export interface SubscriptionRow {
  id: string
  site: string
  url: string
  /** Whether it matched every event of the scenario. */
  throughout: boolean
}

/** A delivery that arrived at a receiver. */
export interface Receipt {
  webhookId: string
  url: string
  /** SHA-256 of the body. */
  digest: string
  /** Whether the signature matched. */
  verified: boolean
  at: number
}

export interface DeadLetterRow {
  consumer: string
  messageId: string
  reason: string
}

/** The work that is left; everything 0 means that the system has drained. */
export interface Backlog {
  /** Events that wait in an outbox. */
  outbox: number
  /** Messages that a consumer has not acknowledged, or consumers that do not exist. */
  consumers: number
  /** Deliveries that are pending for a subscription that is not paused. */
  deliveries: number
  /** Payments of unknown outcome. */
  created: number
  /** Payments that are paid at the provider, and not in our record. */
  paid: number
  /** Webhooks of the provider that are stored and not applied. */
  providerEvents: number
}

/** Everything that the checker compares, of one scenario. */
export interface Records {
  log: LoadLog
  payments: PaymentRow[]
  /** Sites by name. */
  sites: { name: string; slug: string }[]
  ledger: LedgerEntry[]
  outbox: OutboxRow[]
  stream: StreamMessage[]
  /** Ids of the events that each consumer has stored or noted in its inbox. */
  applied: Record<string, string[]>
  /** Version of each account in payments' copy and at its owner. */
  accounts: { id: string; version: number; copied: number | undefined }[]
  deliveries: DeliveryRow[]
  subscriptions: SubscriptionRow[]
  receipts: Receipt[]
  deadLetters: DeadLetterRow[]
  /** The backlog 30 s after recovery, or an empty one and the time that it took. */
  drained: { seconds: number; left: Backlog }
  /** Places in the services' logs where a secret stands, without the secret. */
  secretsInLogs: string[]
}

/** Contradictions that a scenario causes on purpose. The checker does not report them. */
export interface Allowances {
  /** The stream was lost or rolled back: an event may be missing from it, and come again after later ones. */
  streamWasLost?: boolean
  /** A database was restored: payments that nobody paid may be gone, and other services know more than it does. */
  databaseWasRestored?: boolean
  /** Ids of messages that were poison. */
  poison?: ReadonlySet<string>
  /** Deliveries to these addresses may end otherwise than delivered. */
  badReceivers?: ReadonlySet<string>
  /** Requests, even unkeyed ones, must not fail at all; see I10. */
  nothingFails?: boolean
}

/** Seconds after recovery within which everything must be done. */
export const drainWithinSeconds = 30
