import process from 'node:process'
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

/** What runs in a process. */
export interface Build {
  service: string
  /** The setting RELEASE. */
  release: string
}

/** Makes the registry of a process's metrics, with Node's own metrics and `build_info` in it. */
export function createMetrics({ service, release }: Build): Registry {
  const metrics = new Registry()
  // The default, 10 ms, wakes an idle process a hundred times a second.
  collectDefaultMetrics({ register: metrics, eventLoopMonitoringPrecision: 100 })
  new Gauge({
    name: 'build_info',
    help: 'Always 1; the labels say what runs: the service, its release (the setting RELEASE), and the version of Node',
    labelNames: ['service', 'release', 'node'],
    registers: [metrics],
  }).set({ service, release, node: process.version }, 1)
  return metrics
}

/** Registers the histogram of requests; probes and scrapes are not in it. */
export function createRequestMetrics(registry: Registry) {
  return new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the head of a request to its response, by route and status; 499 if the caller left before. Probes and scrapes are not in it',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers: [registry],
  })
}

/** What the last comparison with the database has found. */
export interface DatabaseState {
  isUp: boolean
  /** How far the clock of this process is ahead of Postgres's. */
  skewMs: number
}

/** Registers what a service knows of its database without asking it at a scrape. */
export function createDatabaseMetrics(registry: Registry, state: () => DatabaseState): void {
  const registers = [registry]
  new Gauge({
    name: 'clock_skew_seconds',
    help: "How far the clock of this process is ahead of Postgres's; below 0: behind. Compared every 10 s",
    registers,
    collect() {
      this.set(state().skewMs / 1000)
    },
  })
  new Gauge({
    name: 'postgres_up',
    help: '1 if the database answered within 700 ms when it was last asked (every 10 s), takes writes and has the newest migration; else 0',
    registers,
    collect() {
      this.set(state().isUp ? 1 : 0)
    },
  })
}
