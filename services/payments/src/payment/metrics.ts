import type { PaymentStatus, RefundStatus } from '@frontdesk/contracts'
import type { Logger } from 'pino'
import { Counter, Gauge, type Registry } from 'prom-client'
import { openStatuses, type Decision } from './domain.ts'

export interface PaymentMetrics {
  /** Logs and counts a saved change. An alert is logged as an error, and its counter pages a person. */
  changed(decision: Decision): void
  /**
   * Sets how many payments and refunds are in each open status, and for how long the oldest has not changed: a stuck one shows
   * here. Without them, as in a replica that does not measure, there are no such figures.
   */
  opened(all: AllOpen | undefined): void
}

/** Payments or refunds in one status. */
export interface OpenOnes {
  count: number
  /** Since the last change of the one that has waited longest. */
  seconds: number
}

export interface AllOpen {
  payments: ReadonlyMap<PaymentStatus, OpenOnes>
  refunds: ReadonlyMap<RefundStatus, OpenOnes>
}

const openRefundStatuses = ['Created', 'Pending'] as const
const measured = 'read every 60 s by the replica with the leader lock, absent in the others'

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
  const gaugeOf = (name: string, help: string) =>
    new Gauge({ name, help: `${help}; ${measured}`, labelNames: ['status'] as const, registers })
  const figures = {
    payments: gaugeOf('payments_open', 'Payments in each status that is not an end'),
    oldestPayment: gaugeOf(
      'payments_oldest_seconds',
      'Time since the last change of the longest waiting payment in each status that is not an end',
    ),
    refunds: gaugeOf('refunds_open', 'Refunds in each status that is not an end'),
    oldestRefund: gaugeOf(
      'refunds_oldest_seconds',
      'Time since the last change of the longest waiting refund in each status that is not an end',
    ),
  }

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
    opened(all) {
      for (const figure of Object.values(figures)) figure.reset()
      if (all === undefined) return
      for (const status of openStatuses) {
        figures.payments.set({ status }, all.payments.get(status)?.count ?? 0)
        figures.oldestPayment.set({ status }, all.payments.get(status)?.seconds ?? 0)
      }
      for (const status of openRefundStatuses) {
        figures.refunds.set({ status }, all.refunds.get(status)?.count ?? 0)
        figures.oldestRefund.set({ status }, all.refunds.get(status)?.seconds ?? 0)
      }
    },
  }
}
