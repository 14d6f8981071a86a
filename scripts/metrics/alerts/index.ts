import type { Alert } from './alert.ts'
import { eventAlerts } from './events.ts'
import { moneyAlerts } from './money.ts'
import { partAlerts } from './parts.ts'
import { recordings, sloAlerts } from './slo.ts'

export type { Alert, Recording } from './alert.ts'
export { recordings }

/** Groups of alerts, in the order of the runbooks. */
export const alertGroups: Readonly<Record<string, readonly Alert[]>> = {
  objectives: sloAlerts,
  parts: partAlerts,
  events: eventAlerts,
  money: moneyAlerts,
}

export const alerts: readonly Alert[] = Object.values(alertGroups).flat()
