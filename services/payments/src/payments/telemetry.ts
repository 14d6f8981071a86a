import { openStatuses } from './domain.ts'
import type { Pool } from '@frontdesk/database'
import type { Logger } from 'pino'
import { Counter, Gauge, type Registry } from 'prom-client'
import type { Changed } from './store.ts'

export interface PaymentTelemetry {
  /** Says what became of a payment: a line in the log, counters; an error and a counter that pages for each alert. */
  changed(changed: Changed): void
  /** Measures how long the oldest payment has been in each open status: a stuck one shows here while every rule is green. */
  measureAges(pool: Pool): Promise<void>
}

export function createTelemetry(log: Logger, registry: Registry): PaymentTelemetry {
  const registers = [registry]
  const moves = new Counter({
    name: 'payment_moves_total',
    help: 'Payments that came to a status, by status',
    labelNames: ['status', 'provider'] as const,
    registers,
  })
  const alerts = new Counter({
    name: 'payment_alerts_total',
    help: 'Payments that a person must look at, by what is wrong',
    labelNames: ['code'] as const,
    registers,
  })
  const oldest = new Gauge({
    name: 'payments_oldest_seconds',
    help: 'Time since the last change of the longest waiting payment in each status that is not an end',
    labelNames: ['status'] as const,
    registers,
  })

  return {
    changed({ payment: { recordId, provider, site }, decision }) {
      for (const { status } of decision.history) {
        moves.inc({ status, provider })
        log.info({ recordId, siteSlug: site.slug, provider, status }, 'payment moved')
      }
      for (const { code, detail } of decision.alerts) {
        alerts.inc({ code })
        log.error({ recordId, siteSlug: site.slug, provider, alert: code, detail }, 'payment alert')
      }
    },
    async measureAges(pool) {
      const result = await pool.query<{ status: string; seconds: number }>(
        `select status, extract(epoch from now() - min(changed_at))::float8 as seconds
           from payments where status in ('Created', 'Pending', 'Declined', 'Processing') group by status`,
      )
      for (const status of openStatuses) oldest.set({ status }, 0)
      for (const row of result.rows) oldest.set({ status: row.status }, row.seconds)
    },
  }
}
