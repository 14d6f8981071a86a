const second = 1_000
const minute = 60 * second
const day = 24 * 60 * minute
const kibibyte = 1024
const mebibyte = 1024 * kibibyte

export interface Stream {
  name: string
  /** The service that publishes to the stream. It alone provisions it. */
  owner: string
  subjects: string[]
  retention: 'limits' | 'workqueue'
  discard: 'new' | 'old'
  /** Milliseconds for which a message is kept, unless the deployment says otherwise. */
  maxAgeMs: number
  size: StreamSize
  duplicateWindowMs: number
}

/** How large a stream is unless the deployment says otherwise: grows with the payments per second, or fixed. */
export type StreamSize = { bytesPerPayment: number } | { bytes: number }

export interface Consumer {
  /** The durable's name. */
  name: string
  stream: string
  /** The service that consumes from it. It alone provisions it. */
  owner: string
  filter: string
  ackWaitMs: number
  maxAckPending: number
}

/** Payments per second, averaged over a stream's age, that the sizes are for unless the deployment says otherwise. */
export const defaultPaymentsPerSecond = 2

/** Returns the bytes that a stream reserves: what arrives within its age, twice, so that it is half full at that rate. */
export function streamBytes({ size, maxAgeMs }: Stream, paymentsPerSecond = defaultPaymentsPerSecond): number {
  if ('bytes' in size) return size.bytes
  return Math.ceil(size.bytesPerPayment * paymentsPerSecond * (maxAgeMs / second) * 2)
}

const eventLog = (service: string, name: string, size: StreamSize, owner = service): Stream => ({
  name,
  owner,
  subjects: [`evt.*.${service}.>`],
  retention: 'limits',
  discard: 'new',
  maxAgeMs: 3 * day,
  size,
  duplicateWindowMs: 10 * minute,
})

const workQueue = (service: string, name: string, size: StreamSize): Stream => ({
  name,
  owner: service,
  subjects: [`work.${service}.>`],
  retention: 'workqueue',
  discard: 'new',
  // Work is gone once it is acknowledged: only an outage of its one consumer makes it wait.
  maxAgeMs: 7 * day,
  size,
  duplicateWindowMs: 10 * minute,
})

/**
 * Every stream. Measured: 13 payments make 39 messages of 42,640 bytes on EVT_PAYMENTS, which is 3,280 bytes a payment; a
 * refund adds 1,101. A payment brings about two events of its provider, of 1.5 KiB each; WRK_PAYMENTS has room for one day of
 * them, a seventh of its age. Sites, accounts and subscriptions change by hand: 256 MiB hold 170,000 events of 1.5 KiB.
 */
export const streams: readonly Stream[] = [
  eventLog('registry', 'EVT_REGISTRY', { bytes: 256 * mebibyte }),
  eventLog('accounts', 'EVT_ACCOUNTS', { bytes: 256 * mebibyte }),
  eventLog('payments', 'EVT_PAYMENTS', { bytesPerPayment: 3_280 }),
  eventLog('webhook-delivery', 'EVT_WEBHOOK_DELIVERY', { bytes: 256 * mebibyte }),
  // Four clients that each use their whole share (64 MiB a day) on every day that the stream keeps, today included.
  eventLog('external', 'EVT_EXTERNAL', { bytes: 1024 * mebibyte }, 'webhook-delivery'),
  workQueue('payments', 'WRK_PAYMENTS', { bytesPerPayment: (2 * 1.5 * kibibyte) / 7 }),
  workQueue('accounts', 'WRK_ACCOUNTS', { bytes: 128 * mebibyte }),
]
export const streamMaxMessageBytes = 128 * kibibyte

// A replica extends a message's ack wait three times before it ends. A dead replica's messages are redelivered after it.
const handler = { ackWaitMs: 10 * second, maxAckPending: 256 }
const delivery = { ackWaitMs: 10 * second, maxAckPending: 8_000 }

/** Every durable consumer. */
export const consumers = {
  accountsSites: {
    name: 'accounts-sites',
    stream: 'EVT_REGISTRY',
    owner: 'accounts',
    filter: 'evt.int.registry.site.*.v1.*',
    ...handler,
  },
  accountsProviderEvents: {
    name: 'accounts-provider-events',
    stream: 'WRK_ACCOUNTS',
    owner: 'accounts',
    filter: 'work.accounts.>',
    ...handler,
  },
  paymentsSites: {
    name: 'payments-sites',
    stream: 'EVT_REGISTRY',
    owner: 'payments',
    filter: 'evt.int.registry.site.*.v1.*',
    ...handler,
  },
  paymentsAccounts: {
    name: 'payments-accounts',
    stream: 'EVT_ACCOUNTS',
    owner: 'payments',
    filter: 'evt.int.accounts.account.*.v1.*',
    ...handler,
  },
  paymentsProviderEvents: {
    name: 'payments-provider-events',
    stream: 'WRK_PAYMENTS',
    owner: 'payments',
    filter: 'work.payments.>',
    ...handler,
  },
  deliveryPayments: {
    name: 'webhook-delivery-payments',
    stream: 'EVT_PAYMENTS',
    owner: 'webhook-delivery',
    filter: 'evt.pub.payments.>',
    ...delivery,
  },
  deliveryAccounts: {
    name: 'webhook-delivery-accounts',
    stream: 'EVT_ACCOUNTS',
    owner: 'webhook-delivery',
    filter: 'evt.pub.accounts.>',
    ...delivery,
  },
  deliveryExternal: {
    name: 'webhook-delivery-external',
    stream: 'EVT_EXTERNAL',
    owner: 'webhook-delivery',
    filter: 'evt.pub.external.>',
    ...delivery,
  },
  deliverySites: {
    name: 'webhook-delivery-sites',
    stream: 'EVT_REGISTRY',
    owner: 'webhook-delivery',
    filter: 'evt.int.registry.site.*.v1.*',
    ...handler,
  },
} as const satisfies Record<string, Consumer>
