import type { Alert } from './alert.ts'

/** Alerts on money and on the providers that move it. */
export const moneyAlerts: readonly Alert[] = [
  {
    name: 'PaymentNeedsAPerson',
    severity: 'page',
    expr: 'sum by (code) (increase(payment_alerts_total[15m])) > 0',
    for: '0m',
    meaning:
      'A payment is in a state that the service cannot settle by itself, such as an amount that differs from the provider’s.',
    see: 'The log line `payment alert` of payments has the payment’s id, `alert` (the code) and what is wrong.',
    act: 'Compare the payment with the provider’s dashboard. `npm run operate -- payments reconcile payments --since 1d` brings forward what can be ([operating](operating.md#reconcile-payments)).',
    drill: { test: 'services/payments/test/afterwards.test.ts' },
    fires: {
      series: { 'payment_alerts_total{job="payments",code="amount_differs",instance="a"}': '0x30 1x30' },
      labels: { code: 'amount_differs' },
    },
    silent: { 'payment_alerts_total{job="payments",code="amount_differs",instance="a"}': '1x60' },
  },
  {
    name: 'PaymentsNotSent',
    severity: 'page',
    expr: 'max(payments_oldest_seconds{status="Created"}) > 900',
    for: '5m',
    meaning: 'A payment has waited for a quarter of an hour to be sent to its provider.',
    see: '`payments_open{status="Created"}`; `sum by (provider, outcome) (rate(provider_call_duration_seconds_count[5m]))`; the log line `a payment could not be checked` has the provider’s reason.',
    act: 'Provider away: ProviderDown. `misconfigured`: `npm run operate -- payments stripe check`. The checks send it by themselves then.',
    drill: { test: 'e2e/provider-outage.test.ts' },
    fires: {
      series: { 'payments_oldest_seconds{job="payments",status="Created",instance="a"}': '0+60x60' },
      labels: {},
    },
    silent: {
      'payments_oldest_seconds{job="payments",status="Created",instance="a"}': '20x60',
      'payments_oldest_seconds{job="payments",status="Pending",instance="a"}': '0+60x60',
    },
  },
  {
    name: 'RefundsNotSent',
    severity: 'page',
    expr: 'max(refunds_oldest_seconds{status="Created"}) > 900',
    for: '5m',
    meaning: 'A refund has waited for a quarter of an hour to be sent to its provider.',
    see: 'As PaymentsNotSent, with `refunds_open`.',
    act: 'As PaymentsNotSent.',
    drill: { test: 'e2e/provider-outage.test.ts' },
    fires: {
      series: { 'refunds_oldest_seconds{job="payments",status="Created",instance="a"}': '0+60x60' },
      labels: {},
    },
    silent: { 'refunds_oldest_seconds{job="payments",status="Created",instance="a"}': '20x60' },
  },
  {
    name: 'PaymentsStuck',
    severity: 'ticket',
    expr: 'max by (status) (payments_oldest_seconds{status!="Created"}) > 3 * 86400',
    for: '5m',
    meaning:
      'A payment has not changed for three days, while a checkout can be paid for one: nobody checks it any more.',
    see: '`payments_oldest_seconds` by status.',
    act: '`npm run operate -- payments reconcile payments --since 5d`.',
    drill: { test: 'services/payments/test/healing.test.ts' },
    fires: {
      series: { 'payments_oldest_seconds{job="payments",status="Pending",instance="a"}': '300000+60x60' },
      labels: { status: 'Pending' },
    },
    silent: { 'payments_oldest_seconds{job="payments",status="Pending",instance="a"}': '50000+60x60' },
  },
  {
    name: 'ProviderDown',
    severity: 'page',
    expr: 'min by (job, provider) (provider_breaker_open) == 1',
    for: '2m',
    meaning: 'Calls to a payment provider are held back, because too many of them failed. New payments are 503.',
    see: '`sum by (provider, operation, outcome) (rate(provider_call_duration_seconds_count[5m]))`, and the provider’s status page.',
    act: 'Wait for the provider: payments that were accepted are sent when it is back. `misconfigured` is ours: `npm run operate -- payments stripe check`.',
    drill: { test: 'e2e/provider-outage.test.ts' },
    fires: {
      series: { 'provider_breaker_open{job="payments",provider="Stripe",instance="a"}': '1x60' },
      labels: { job: 'payments', provider: 'Stripe' },
    },
    silent: { 'provider_breaker_open{job="payments",provider="Stripe",instance="a"}': '0x60' },
  },
  {
    name: 'ProviderBudgetSpent',
    severity: 'ticket',
    expr: 'sum by (job, provider) (min_over_time(provider_calls_waiting[5m])) > 0',
    for: '10m',
    meaning: 'Calls wait for their turn all the time: we need more calls a second than the provider lets us make.',
    see: '`provider_calls_per_second_allowed`, `provider_slowed_seconds`, `provider_calls_waiting` by priority: waiting `orders` make creates slow.',
    act: 'Ask the provider for a higher limit, then raise it in the settings; or give payments more of it (`PROVIDER_CALLS_PERCENT`).',
    drill: { test: 'services/payments/test/pacing.test.ts' },
    fires: {
      series: { 'provider_calls_waiting{job="payments",provider="Stripe",priority="checks",instance="a"}': '9x60' },
      labels: { job: 'payments', provider: 'Stripe' },
    },
    silent: {
      'provider_calls_waiting{job="payments",provider="Stripe",priority="checks",instance="a"}': '9 0 9 0 9 0x60',
    },
  },
]
