import { randomUUID } from 'node:crypto'
import { operations, type Operation, type OperationId } from '@frontdesk/contracts'
import { paymentBody, provider } from './practice.ts'
import type { Call } from './tested-system.ts'

/** Returns a valid request body of an operation; undefined if it takes none. */
export function bodyOf(id: OperationId): Record<string, unknown> | undefined {
  switch (id) {
    case 'createSite':
      return { Name: 'Conformance Practice' }
    case 'changeSite':
      return { ApplicationVersion: '1.0' }
    case 'createPayment':
      return paymentBody()
    case 'createRefund':
      return { Amount: 100, Reason: 'One treatment less' }
    case 'createAccount':
      return { paymentProvider: provider }
    case 'subscribe':
      return { EventTypes: ['payment.*'], Url: 'https://subscriber.example/conformance' }
    case 'recoverDeliveries':
      return { Since: new Date().toISOString() }
    case 'publishEvents':
      return eventBody({ source: 'https://demo.frontdesk.example/conformance' })
    default:
      return undefined
  }
}

/** Returns an external event, which is valid if its source is the client's. */
export function eventBody(more: Record<string, unknown>): Record<string, unknown> {
  return { specversion: '1.0', id: randomUUID(), type: 'com.example.appointment.booked', ...more }
}

/** Returns whether an operation takes a body that refuses unknown members. */
export function isClosed(id: OperationId): boolean {
  const { body } = operations[id] as { body?: { additionalProperties?: boolean } }
  return body?.additionalProperties === false
}

/** Returns a request of an operation for a site, valid by its schema; entities below the site do not exist. */
export function specimenOf(id: OperationId, slug: string): Call & { params: Record<string, string> } {
  const body = bodyOf(id)
  const params: Record<string, string> = {
    SiteSlug: slug,
    SiteIdentifier: slug,
    Key: 'Secondary',
    AccountId: randomUUID(),
    PaymentIdentifier: randomUUID(),
    RefundIdentifier: randomUUID(),
    DeliveryId: randomUUID(),
    SubscriptionId: randomUUID(),
  }
  const names = Object.keys((operations[id] as Operation).params.properties)
  return {
    params: Object.fromEntries(names.map((name) => [name, params[name] ?? ''])),
    ...(body === undefined ? {} : { body }),
  }
}

/** Returns whether an operation addresses an entity below its site. */
export function hasEntity(id: OperationId): boolean {
  return Object.keys((operations[id] as Operation).params.properties).some((name) =>
    /Id$|PaymentIdentifier|RefundIdentifier/.test(name),
  )
}
