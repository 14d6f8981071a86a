import type { DeliveryAttempt, DeliverySummary } from '@frontdesk/contracts'
import { deliveryIdOf } from './ids.ts'
import type { StoredAttempt, StoredDelivery } from './store.ts'

/** The delivery as clients see it. */
export function toSummary(delivery: StoredDelivery): DeliverySummary {
  const isWaiting = delivery.state === 'pending' && delivery.claimId === null
  return {
    DeliveryId: deliveryIdOf(delivery.eventId, delivery.subscriptionId),
    EventId: delivery.eventId,
    EventType: delivery.eventType,
    State: delivery.state,
    Attempts: delivery.attempts,
    CreatedAt: delivery.receivedAt.toISOString(),
    ...(isWaiting ? { NextAttemptAt: delivery.dueAt.toISOString() } : {}),
    ...(delivery.completedAt === null ? {} : { CompletedAt: delivery.completedAt.toISOString() }),
  }
}

/** The attempt as clients see it: the reply's body as text if it is UTF-8, otherwise as base64. */
export function toAttempt(attempt: StoredAttempt): DeliveryAttempt {
  return {
    Number: attempt.number,
    StartedAt: attempt.startedAt.toISOString(),
    DurationMs: attempt.durationMs,
    Outcome: attempt.outcome,
    ...(attempt.statusCode === null ? {} : { StatusCode: attempt.statusCode }),
    ...(attempt.error === null ? {} : { Error: attempt.error }),
    ...(attempt.responseBody === null ? {} : bodyText(attempt.responseBody)),
  }
}

function bodyText(body: Buffer): Pick<DeliveryAttempt, 'ResponseBody' | 'ResponseBodyEncoding'> {
  try {
    return { ResponseBody: new TextDecoder('utf-8', { fatal: true }).decode(body), ResponseBodyEncoding: 'utf8' }
  } catch {
    return { ResponseBody: body.toString('base64'), ResponseBodyEncoding: 'base64' }
  }
}
