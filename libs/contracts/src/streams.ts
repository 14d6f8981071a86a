const second = 1_000
const minute = 60 * second
const day = 24 * 60 * minute
const mebibyte = 1024 * 1024

export interface Stream {
  name: string
  /** The service that publishes to the stream and provisions it. */
  owner: string
  subjects: string[]
  retention: 'limits' | 'workqueue'
  discard: 'new' | 'old'
  maxAgeMs: number
  maxBytes: number
  duplicateWindowMs: number
}

export interface Consumer {
  /** The durable's name. */
  name: string
  stream: string
  /** The service that consumes from it and provisions it. */
  owner: string
  filter: string
  ackWaitMs: number
  maxAckPending: number
}

const maxMessageBytes = 128 * 1024

// Sized for twice the interface's peak, 300 events/s of 1.5 KiB, over 3 days. Development machines hold far less.
const eventLog = (service: string, name: string, owner = service): Stream => ({
  name,
  owner,
  subjects: [`evt.*.${service}.>`],
  retention: 'limits',
  discard: 'new',
  maxAgeMs: 3 * day,
  maxBytes: 4096 * mebibyte,
  duplicateWindowMs: 10 * minute,
})

const workQueue = (service: string, name: string): Stream => ({
  name,
  owner: service,
  subjects: [`work.${service}.>`],
  retention: 'workqueue',
  discard: 'new',
  maxAgeMs: 7 * day,
  maxBytes: 512 * mebibyte,
  duplicateWindowMs: 10 * minute,
})

/** Every stream. A service provisions the streams that it owns or reads, and `DLQ`. */
export const streams: readonly Stream[] = [
  eventLog('registry', 'EVT_REGISTRY'),
  eventLog('accounts', 'EVT_ACCOUNTS'),
  eventLog('payments', 'EVT_PAYMENTS'),
  eventLog('webhook-delivery', 'EVT_WEBHOOK_DELIVERY'),
  eventLog('external', 'EVT_EXTERNAL', 'webhook-delivery'),
  workQueue('payments', 'WRK_PAYMENTS'),
  workQueue('accounts', 'WRK_ACCOUNTS'),
  {
    name: 'DLQ',
    owner: 'all',
    subjects: ['dlq.>'],
    retention: 'limits',
    discard: 'old',
    maxAgeMs: 30 * day,
    maxBytes: 256 * mebibyte,
    duplicateWindowMs: 60 * minute,
  },
]
export const streamMaxMessageBytes = maxMessageBytes

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
