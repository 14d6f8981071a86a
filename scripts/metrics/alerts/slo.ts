import type { Alert, Recording } from './alert.ts'

// 99.9 % of requests of clients get an answer that is no fault of ours, and 99 % of deliveries are tried within 10 s of their
// event. Windows and factors are those of the SRE workbook: a fast burn spends 2 % of a month's budget in an hour, a slow one 5 %
// in six.
const windows = ['5m', '30m', '1h', '6h'] as const
const served = 'http_request_duration_seconds_count{job="gateway",route=~"/api/.*|/oauth2/.*|/providers/.*"'

/** Shares of requests and deliveries that miss the objective, by window. */
export const recordings: readonly Recording[] = windows.flatMap((window) => [
  {
    name: `frontdesk:request_errors:ratio_rate${window}`,
    expr: `sum(rate(${served},status=~"5.."}[${window}])) / sum(rate(${served}}[${window}]))`,
  },
  {
    name: `frontdesk:late_first_attempts:ratio_rate${window}`,
    expr: `1 - sum(rate(delivery_first_attempt_seconds_bucket{le="10"}[${window}])) / sum(rate(delivery_first_attempt_seconds_count[${window}]))`,
  },
])

const burns = (of: string, budget: string, factor: number, [long, short]: readonly [string, string]): string =>
  `frontdesk:${of}:ratio_rate${long} > ${factor} * ${budget} and frontdesk:${of}:ratio_rate${short} > ${factor} * ${budget}`

const requests = 'http_request_duration_seconds_count{job="gateway",method="GET",route="/api/v1/sites",status='
const failing = { [`${requests}"200"}`]: '0+90x60', [`${requests}"503"}`]: '0+10x60' }
const working = { [`${requests}"200"}`]: '0+100x60', [`${requests}"503"}`]: '0+0x60' }
const late = {
  'delivery_first_attempt_seconds_bucket{le="10"}': '0+50x60',
  delivery_first_attempt_seconds_count: '0+100x60',
}
const inTime = {
  'delivery_first_attempt_seconds_bucket{le="10"}': '0+100x60',
  delivery_first_attempt_seconds_count: '0+100x60',
}

/** Alerts on how fast the budget of an objective is spent. */
export const sloAlerts: readonly Alert[] = [
  {
    name: 'RequestErrorsFastBurn',
    severity: 'page',
    expr: burns('request_errors', '0.001', 14.4, ['1h', '5m']),
    for: '2m',
    meaning: 'So many requests fail with 5xx that the month’s budget of 0.1 % is gone in two days.',
    see: 'Which route and status: `sum by (route, status) (rate(http_request_duration_seconds_count{job="gateway",status=~"5.."}[5m]))`. Which service: `gateway_upstream_failures_total`. The log lines of the gateway with `status` of 500 and more have a `traceId` that the service’s lines share.',
    act: 'If one service fails, look at its alerts (PostgresDown, PoolExhausted) and at its last rollout (`build_info`): roll it back if they coincide. 503 with the code `overloaded` is RequestsShed.',
    drill: { scenario: 'pool-exhausted' },
    fires: { series: failing, labels: {} },
    silent: working,
  },
  {
    name: 'RequestErrorsSlowBurn',
    severity: 'ticket',
    expr: burns('request_errors', '0.001', 6, ['6h', '30m']),
    for: '15m',
    meaning: 'Requests fail a little all the time: the month’s budget of 0.1 % is gone in five days.',
    see: 'As RequestErrorsFastBurn, over `[6h]`.',
    act: 'Find the route that has most of them, and open a ticket with one `traceId` of it.',
    drill: { scenario: 'postgres-restart' },
    fires: { series: failing, labels: {} },
    silent: working,
  },
  {
    name: 'FirstAttemptsLateFastBurn',
    severity: 'page',
    expr: burns('late_first_attempts', '0.01', 14.4, ['1h', '5m']),
    for: '2m',
    meaning: 'Webhooks come late: more than 14 % of deliveries are first tried over 10 s after their event.',
    see: 'Where the time goes: `outbox_oldest_seconds` (not published yet), `events_consumer_pending` of webhook-delivery’s consumers (not taken in), `delivery_due_lateness_seconds` (not sent). Held subscriptions count too: a recovery of a large one shows here once.',
    act: 'Follow the alert of the part that is behind: OutboxStuck, ConsumerLags or DeliveriesLate. If none is, add a replica of webhook-delivery.',
    drill: { scenario: 'nats-outage' },
    fires: { series: late, labels: {} },
    silent: inTime,
  },
]
