import type { PaymentStatus, RefundStatus } from '@frontdesk/contracts'
import type { Logger } from 'pino'
import { Counter, Gauge, type Registry } from 'prom-client'
import { openStatuses, type Decision } from './domain.ts'

export interface PaymentMetrics {
  /** Logs and counts a saved change. An alert is logged as an error, and its counter pages a person. */
  changed(decision: Decision): void
  /** Sets how long the oldest payment in each open status has not changed, in seconds: a stuck one shows here. */
  aged(oldest: ReadonlyMap<PaymentStatus, number>): void
  /** Sets the same for refunds. */
  refundsAged(oldest: ReadonlyMap<RefundStatus, number>): void
}

export function createPaymentMetrics(log: Logger, registry: Registry): PaymentMetrics {
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
  const oldestRefund = new Gauge({
    name: 'refunds_oldest_seconds',
    help: 'Time since the last change of the longest waiting refund in each status that is not an end',
    labelNames: ['status'] as const,
    registers,
  })

  return {
    changed({ next: { recordId, provider, site }, history, alerts: raised }) {
      for (const { status } of history) {
        moves.inc({ status, provider })
        log.info({ recordId, siteSlug: site.slug, provider, status }, 'payment moved')
      }
      for (const { code, detail } of raised) {
        alerts.inc({ code })
        log.error({ recordId, siteSlug: site.slug, provider, alert: code, detail }, 'payment alert')
      }
    },
    aged(seconds) {
      for (const status of openStatuses) oldest.set({ status }, seconds.get(status) ?? 0)
    },
    refundsAged(seconds) {
      for (const status of ['Created', 'Pending'] as const) oldestRefund.set({ status }, seconds.get(status) ?? 0)
    },
  }
}
