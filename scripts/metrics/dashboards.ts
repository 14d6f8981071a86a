/** One graph: what it shows, its queries with the name of each line, and Grafana's unit. */
interface Panel {
  title: string
  queries: readonly (readonly [expr: string, line: string])[]
  unit?: 's' | 'percentunit' | 'reqps' | 'bytes'
}

interface Dashboard {
  title: string
  panels: readonly Panel[]
}

const panel = (title: string, expr: string, line: string, unit?: Panel['unit']): Panel => ({
  title,
  queries: [[expr, line]],
  ...(unit !== undefined && { unit }),
})

const quantile = (share: number, metric: string, by: string, selector = ''): string =>
  `histogram_quantile(${share}, sum by (le, ${by}) (rate(${metric}_bucket${selector}[5m])))`

/** What every service is asked first: does it run, does it answer, has it time. */
function ofProcess(job: string): Panel[] {
  const here = `{job="${job}"}`
  return [
    panel('Releases', `count by (release) (build_info${here})`, '{{release}}'),
    panel(
      'Requests by status',
      `sum by (status) (rate(http_request_duration_seconds_count${here}[5m]))`,
      '{{status}}',
      'reqps',
    ),
    panel(
      'Time of requests, 99 of 100',
      quantile(0.99, 'http_request_duration_seconds', 'route', here),
      '{{route}}',
      's',
    ),
    {
      title: 'Process: cores used, event loop’s delay',
      queries: [
        [`rate(process_cpu_seconds_total${here}[5m])`, 'cores {{instance}}'],
        [`nodejs_eventloop_lag_p99_seconds${here}`, 'delay in s {{instance}}'],
      ],
    },
    panel('Memory', `process_resident_memory_bytes${here}`, '{{instance}}', 'bytes'),
  ]
}

function ofDatabase(job: string): Panel[] {
  const here = `{job="${job}"}`
  return [
    {
      title: 'Postgres and NATS reached',
      queries: [
        [`min by (instance) (postgres_up${here})`, 'Postgres {{instance}}'],
        [`min by (instance) (nats_up${here})`, 'NATS {{instance}}'],
      ],
    },
    {
      title: 'Connections to Postgres',
      queries: [
        [`sum by (pool, state) (postgres_pool_connections${here})`, '{{pool}} {{state}}'],
        [`sum by (pool) (postgres_pool_size${here})`, '{{pool}} at most'],
        [`sum by (pool) (postgres_pool_waiting${here})`, '{{pool}} waiting'],
      ],
    },
    panel(
      'Wait for a connection, 99 of 100',
      quantile(0.99, 'postgres_pool_wait_seconds', 'pool', here),
      '{{pool}}',
      's',
    ),
    panel('Clock against Postgres’s', `clock_skew_seconds${here}`, '{{instance}}', 's'),
    panel('Oldest event in the outbox', `max(outbox_oldest_seconds${here})`, 'oldest', 's'),
  ]
}

const ofProvider = (job: string): Panel[] => [
  panel(
    'Provider calls by outcome',
    `sum by (provider, outcome) (rate(provider_call_duration_seconds_count{job="${job}"}[5m]))`,
    '{{provider}} {{outcome}}',
    'reqps',
  ),
  {
    title: 'Budget of the providers',
    queries: [
      [`sum by (provider) (provider_calls_per_second_allowed{job="${job}"})`, '{{provider}} allowed a second'],
      [
        `sum by (provider) (rate(provider_call_duration_seconds_count{job="${job}"}[5m]))`,
        '{{provider}} used a second',
      ],
      [`sum by (provider, priority) (provider_calls_waiting{job="${job}"})`, '{{provider}} {{priority}} waiting'],
    ],
  },
]

const ofDeliveries: readonly Panel[] = [
  {
    title: 'Event to first attempt',
    unit: 's',
    queries: [0.5, 0.9, 0.99].map((share) => [
      `histogram_quantile(${share}, sum by (le) (rate(delivery_first_attempt_seconds_bucket[5m])))`,
      `${share * 100} of 100`,
    ]),
  },
  panel('Attempts by outcome', 'sum by (outcome) (rate(delivery_attempts_total[5m]))', '{{outcome}}', 'reqps'),
  panel('Deliveries by their end', 'sum by (state) (rate(delivery_ended_total[5m]))', '{{state}}', 'reqps'),
  panel('How late the oldest due delivery is', 'max(delivery_due_lateness_seconds)', 'late', 's'),
]

/** Every dashboard, by the name of its file. */
export const dashboards: Readonly<Record<string, Dashboard>> = {
  gateway: {
    title: 'Frontdesk: gateway',
    panels: [
      ...ofProcess('gateway'),
      panel('Requests under way', 'sum by (source) (gateway_requests_in_flight)', '{{source}}'),
      panel('Shed because of the load', 'sum by (reason) (rate(gateway_shed_total[5m]))', '{{reason}}', 'reqps'),
      panel('Over a rate limit', 'sum by (policy) (rate(gateway_rate_limited_total[5m]))', '{{policy}}', 'reqps'),
      {
        title: 'Logins and refused credentials',
        unit: 'reqps',
        queries: [
          ['sum by (outcome) (rate(gateway_logins_total[5m]))', 'login {{outcome}}'],
          ['sum(rate(gateway_refused_credentials_total[5m]))', 'refused'],
        ],
      },
      panel(
        'Services without an answer',
        'sum by (service, reason) (rate(gateway_upstream_failures_total[5m]))',
        '{{service}} {{reason}}',
        'reqps',
      ),
      panel('Breakers', 'max by (service) (gateway_breaker_open)', '{{service}}'),
      panel('Site events followed', 'gateway_site_events_followed', '{{instance}}'),
    ],
  },
  registry: { title: 'Frontdesk: registry', panels: [...ofProcess('registry'), ...ofDatabase('registry')] },
  accounts: {
    title: 'Frontdesk: accounts',
    panels: [...ofProcess('accounts'), ...ofDatabase('accounts'), ...ofProvider('accounts')],
  },
  payments: {
    title: 'Frontdesk: payments',
    panels: [...ofProcess('payments'), ...ofDatabase('payments'), ...ofProvider('payments')],
  },
  'webhook-delivery': {
    title: 'Frontdesk: webhook-delivery',
    panels: [
      ...ofProcess('webhook-delivery'),
      ...ofDatabase('webhook-delivery'),
      ...ofDeliveries,
      {
        title: 'Held and under way',
        queries: [
          ['sum(delivery_held)', 'held'],
          ['sum(delivery_requests_in_flight)', 'requests under way'],
          ['sum(delivery_connections_open)', 'connections'],
          ['sum(delivery_endpoints_open)', 'endpoints behind a breaker'],
        ],
      },
      panel('Outcomes not recorded yet', 'sum by (instance) (delivery_outcomes_unrecorded)', '{{instance}}'),
      panel(
        'Time of a poll, 99 of 100',
        'histogram_quantile(0.99, sum by (le) (rate(delivery_poll_duration_seconds_bucket[5m])))',
        'poll',
        's',
      ),
    ],
  },
  'sandbox-provider': { title: 'Frontdesk: sandbox-provider', panels: ofProcess('sandbox-provider') },
  events: {
    title: 'Frontdesk: the flow of events',
    panels: [
      panel('1. Waiting in the outbox', 'max by (job) (outbox_waiting)', '{{job}}'),
      panel('Oldest in the outbox', 'max by (job) (outbox_oldest_seconds)', '{{job}}', 's'),
      panel('Published', 'sum by (job) (rate(outbox_published_total[5m]))', '{{job}}', 'reqps'),
      {
        title: 'Not publishable',
        queries: [
          ['max by (job) (outbox_set_aside)', '{{job}} set aside'],
          ['sum by (job) (rate(outbox_publish_failures_total[5m]))', '{{job}} failed tries a second'],
          ['max by (stream) (outbox_backoff_seconds)', '{{stream}} waits, s'],
        ],
      },
      panel('Relay’s leaders (1 each)', 'sum by (job) (outbox_relay_leading)', '{{job}}'),
      panel('2. Streams: how full', 'max by (stream) (events_stream_fill_ratio)', '{{stream}}', 'percentunit'),
      panel('3. Consumers: lag', 'max by (consumer) (events_consumer_pending)', '{{consumer}}'),
      {
        title: 'Consumers: under way and again',
        queries: [
          ['max by (consumer) (events_consumer_ack_pending)', '{{consumer}} under way'],
          ['max by (consumer) (events_consumer_redelivered)', '{{consumer}} again'],
        ],
      },
      panel('Consumers bound', 'sum by (consumer) (events_consumer_bound)', '{{consumer}}'),
      panel(
        'Processed',
        'sum by (consumer, outcome) (rate(events_consumed_total[5m]))',
        '{{consumer}} {{outcome}}',
        'reqps',
      ),
      {
        title: 'Held, dead, forged',
        queries: [
          ['max by (consumer) (events_held)', '{{consumer}} held'],
          ['max by (consumer) (dead_letters_open)', '{{consumer}} dead letters'],
          ['sum by (consumer) (increase(events_forged_total[1h]))', '{{consumer}} forged in an hour'],
        ],
      },
      ...ofDeliveries,
    ],
  },
  money: {
    title: 'Frontdesk: money',
    panels: [
      panel(
        'Payments by the status that they came to',
        'sum by (status, provider) (rate(payment_moves_total[5m]))',
        '{{provider}} {{status}}',
        'reqps',
      ),
      panel('Open payments', 'max by (status) (payments_open)', '{{status}}'),
      panel('Oldest open payment', 'max by (status) (payments_oldest_seconds)', '{{status}}', 's'),
      panel('Open refunds', 'max by (status) (refunds_open)', '{{status}}'),
      panel('Oldest open refund', 'max by (status) (refunds_oldest_seconds)', '{{status}}', 's'),
      panel(
        'Payments that need a person, in an hour',
        'sum by (code) (increase(payment_alerts_total[1h]))',
        '{{code}}',
      ),
      panel(
        'Time of provider calls, 99 of 100',
        quantile(0.99, 'provider_call_duration_seconds', 'provider, operation'),
        '{{provider}} {{operation}}',
        's',
      ),
      ...ofProvider('payments'),
      {
        title: 'Providers held back',
        queries: [
          ['max by (job, provider) (provider_breaker_open)', '{{job}} {{provider}} breaker'],
          ['max by (job, provider) (provider_slowed_seconds)', '{{job}} {{provider}} slowed, s'],
        ],
      },
    ],
  },
}

const columns = 3
const width = 24 / columns
const height = 8

/** Returns a dashboard as Grafana reads it from a provisioned folder. */
export function grafanaDashboard(name: string, { title, panels }: Dashboard): object {
  const datasource = { type: 'prometheus', uid: '$source' }
  return {
    uid: `frontdesk-${name}`,
    title,
    tags: ['frontdesk'],
    schemaVersion: 38,
    version: 1,
    editable: false,
    refresh: '30s',
    time: { from: 'now-3h', to: 'now' },
    templating: { list: [{ name: 'source', label: 'Prometheus', type: 'datasource', query: 'prometheus' }] },
    panels: panels.map(({ title: heading, queries, unit = 'none' }, index) => ({
      id: index + 1,
      type: 'timeseries',
      title: heading,
      datasource,
      gridPos: { x: (index % columns) * width, y: Math.floor(index / columns) * height, w: width, h: height },
      fieldConfig: { defaults: { unit, min: heading.startsWith('Clock') ? null : 0 }, overrides: [] },
      options: { legend: { displayMode: 'list', placement: 'bottom', showLegend: true }, tooltip: { mode: 'multi' } },
      targets: queries.map(([expr, legendFormat], at) => ({
        refId: 'ABCDEFGH'.charAt(at),
        datasource,
        expr,
        legendFormat,
      })),
    })),
  }
}
