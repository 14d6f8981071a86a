import type { Alert } from './alert.ts'

const deployed = ['gateway', 'registry', 'accounts', 'payments', 'webhook-delivery']
const allUp = Object.fromEntries(deployed.map((job) => [`up{job="${job}",instance="a"}`, '1x60']))

/** Alerts on the parts that everything needs: processes, Postgres, NATS, clocks. */
export const partAlerts: readonly Alert[] = [
  {
    name: 'ServiceDown',
    severity: 'page',
    expr: [
      `sum by (job) (up{job=~"${deployed.join('|')}"}) == 0`,
      ...deployed.map((job) => `absent(up{job="${job}"})`),
    ].join(' or '),
    for: '2m',
    meaning: 'No replica of a service answers its scrape.',
    see: '`kubectl get pods -l app.kubernetes.io/name=<job>`, or `docker compose ps <job>`; the end of its log, whose last line with `level` 60 says why it ended.',
    act: 'A wrong configuration is named whole in one error line: correct it. After a rollout, roll back. `/livez` that fails names the loop that is stuck.',
    drill: { scenario: 'kill' },
    fires: {
      series: { ...allUp, 'up{job="payments",instance="a"}': '0x60' },
      labels: { job: 'payments' },
    },
    silent: { ...allUp, 'up{job="payments",instance="b"}': '0x60' },
  },
  {
    name: 'PostgresDown',
    severity: 'page',
    expr: 'max by (job) (postgres_up) == 0',
    for: '1m',
    meaning:
      'A service’s database does not answer, takes no writes, or lacks a migration. Requests that need it are 503; nothing is lost.',
    see: '`/readyz` of the service names the reason: no answer, `accepts no writes`, or which migration is missing.',
    act: 'No answer: restore Postgres, or let the address lead to the new primary ([running](running.md#postgres)). Read-only: the address leads to a standby, or the disk is full. Migration: `node scripts/provision.ts <service>`.',
    drill: { scenario: 'postgres-read-only' },
    fires: { series: { 'postgres_up{job="payments",instance="a"}': '0x60' }, labels: { job: 'payments' } },
    silent: { 'postgres_up{job="payments",instance="a"}': '1x60' },
  },
  {
    name: 'NatsDown',
    severity: 'page',
    expr: 'max by (job) (nats_up) == 0',
    for: '2m',
    meaning:
      'No replica of a service is connected to NATS. Requests are served, events wait in the outbox, webhooks are late.',
    see: '`/readyz` of the service: `nats` says `disconnected`, or what NATS refuses (a login or a right).',
    act: 'Restore NATS. If it refuses something, give it the users of this release: `node scripts/print-nats-users.ts`, then reload it ([streams](streams.md)). The relays go on by themselves.',
    drill: { scenario: 'nats-outage' },
    fires: { series: { 'nats_up{job="payments",instance="a"}': '0x60' }, labels: { job: 'payments' } },
    silent: { 'nats_up{job="payments",instance="a"}': '0x60', 'nats_up{job="payments",instance="b"}': '1x60' },
  },
  {
    name: 'PoolExhausted',
    severity: 'page',
    expr: 'min by (job, pool) (min_over_time(postgres_pool_waiting[2m])) > 0',
    for: '3m',
    meaning:
      'Every replica of a service has statements that wait for a connection all the time: requests are slow, then 503.',
    see: '`postgres_pool_connections`, `postgres_pool_wait_seconds`; in Postgres `select pid, wait_event_type, state, now() - query_start, query from pg_stat_activity order by 4 desc`, and `pg_blocking_pids(pid)`.',
    act: 'End the session that blocks the others (`select pg_terminate_backend(pid)`). Without one it is load: raise `DATABASE_POOL_SIZE` within what Postgres admits, or add replicas.',
    drill: { scenario: 'pool-exhausted' },
    fires: {
      series: { 'postgres_pool_waiting{job="payments",pool="requests",instance="a"}': '4x60' },
      labels: { job: 'payments', pool: 'requests' },
    },
    silent: { 'postgres_pool_waiting{job="payments",pool="requests",instance="a"}': '4 0 0 4 0 0x60' },
  },
  {
    name: 'ClockOff',
    severity: 'page',
    expr: 'max by (job, instance) (abs(clock_skew_seconds)) > 5',
    for: '2m',
    meaning:
      'The clock of a host is more than 5 s from Postgres’s. From 90 s on, services refuse each other’s requests.',
    see: '`clock` in `/readyz`, and whether all replicas of all services show the same difference: then it is Postgres’s clock.',
    act: 'Set the host’s clock (`chronyc makestep`), or take the host out ([running](running.md#clocks)).',
    drill: { test: 'libs/service/test/clock.test.ts' },
    fires: {
      series: { 'clock_skew_seconds{job="payments",instance="a"}': '-7x60' },
      labels: { job: 'payments', instance: 'a' },
    },
    silent: { 'clock_skew_seconds{job="payments",instance="a"}': '0.4x60' },
  },
  {
    name: 'RequestsShed',
    severity: 'page',
    expr: 'sum by (reason) (rate(gateway_shed_total[5m])) > 1',
    for: '5m',
    meaning: 'The gateway refuses more than one request a second because of the load.',
    see: '`reason` names the limit that is exceeded. `gateway_requests_in_flight`, `nodejs_eventloop_lag_p99_seconds`, and `rate(http_request_duration_seconds_count{job="gateway"}[5m])` by route.',
    act: 'If one client makes the load, lower its rate limit. If a service is slow, requests pile up: look at its alerts. Otherwise add replicas of the gateway.',
    drill: { scenario: 'overload' },
    fires: {
      series: { 'gateway_shed_total{job="gateway",reason="in_flight"}': '0+600x60' },
      labels: { reason: 'in_flight' },
    },
    silent: { 'gateway_shed_total{job="gateway",reason="in_flight"}': '0+6x60' },
  },
  {
    name: 'BreakerOpen',
    severity: 'page',
    expr: 'max by (service) (gateway_breaker_open) == 1',
    for: '2m',
    meaning: 'The gateway refuses all requests to a service, because too many of them got no answer.',
    see: '`gateway_upstream_failures_total` by `reason`; ServiceDown and PostgresDown of that service.',
    act: 'Restore the service. The breaker tries one request every few seconds, and closes by itself.',
    drill: { scenario: 'kill' },
    fires: {
      series: { 'gateway_breaker_open{job="gateway",service="payments"}': '1x60' },
      labels: { service: 'payments' },
    },
    silent: { 'gateway_breaker_open{job="gateway",service="payments"}': '0x60' },
  },
  {
    name: 'EventLoopBlocked',
    severity: 'ticket',
    expr: 'max by (job, instance) (nodejs_eventloop_lag_p99_seconds) > 0.5',
    for: '10m',
    meaning: 'A process is so busy that it reacts half a second late.',
    see: '`rate(process_cpu_seconds_total[5m])` near 1: it has too much to do. Far below: the host gives it too little.',
    act: 'Add replicas, or raise its CPU limit.',
    drill: { scenario: 'overload' },
    fires: {
      series: { 'nodejs_eventloop_lag_p99_seconds{job="gateway",instance="a"}': '0.9x60' },
      labels: { job: 'gateway', instance: 'a' },
    },
    silent: { 'nodejs_eventloop_lag_p99_seconds{job="gateway",instance="a"}': '0.11x60' },
  },
  {
    name: 'MixedReleases',
    severity: 'ticket',
    expr: 'count by (job) (count by (job, release) (build_info)) > 1',
    for: '20m',
    meaning: 'Two releases of a service have run beside each other for longer than a rollout takes.',
    see: '`count by (job, release) (build_info)`.',
    act: 'A rollout hangs: look why its new replicas do not become ready (`/readyz`), then go on or roll back.',
    drill: { byHand: 'run a second replica with another `RELEASE` for 20 minutes' },
    fires: {
      series: { 'build_info{job="payments",release="1"}': '1x60', 'build_info{job="payments",release="2"}': '1x60' },
      labels: { job: 'payments' },
    },
    silent: { 'build_info{job="payments",release="2"}': '1x60' },
  },
]
