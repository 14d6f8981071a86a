import { Counter, Gauge, type Registry } from 'prom-client'

export type Telemetry = ReturnType<typeof createTelemetry>

/** The gateway's own metrics; requests by route and status are counted by the HTTP server. */
export function createTelemetry(registry: Registry) {
  const registers = [registry]
  return {
    logins: new Counter({
      name: 'gateway_logins_total',
      help: 'Requests at the token endpoint, by outcome',
      labelNames: ['outcome'] as const,
      registers,
    }),
    refusedProofs: new Counter({
      name: 'gateway_refused_proofs_total',
      help: 'Requests without a valid token or site key',
      registers,
    }),
    rateLimited: new Counter({
      name: 'gateway_rate_limited_total',
      help: 'Requests over a rate limit, by policy',
      labelNames: ['policy'] as const,
      registers,
    }),
    siteLookups: new Counter({
      name: 'gateway_site_lookups_total',
      help: 'Questions to registry that the cache could not answer, by outcome',
      labelNames: ['outcome'] as const,
      registers,
    }),
    staleSites: new Counter({
      name: 'gateway_stale_sites_total',
      help: 'Requests served with what was known of a site because registry did not answer',
      registers,
    }),
    /** Measured when the metrics are read: the connection tells nobody when it is lost. */
    siteEventsFollowed: (isFollowing: () => boolean) =>
      new Gauge({
        name: 'gateway_site_events_followed',
        help: 'Whether events of sites reach this copy: 1 or 0',
        registers,
        collect() {
          this.set(isFollowing() ? 1 : 0)
        },
      }),
    shed: new Counter({
      name: 'gateway_shed_total',
      help: 'Requests refused because of the load, by what was over its bound',
      labelNames: ['reason'] as const,
      registers,
    }),
    /** Measured when the metrics are read, as are the breakers: a gauge that is set costs each request. */
    inFlight: (count: () => number) =>
      new Gauge({
        name: 'gateway_requests_in_flight',
        help: 'Requests under way',
        registers,
        collect() {
          this.set(count())
        },
      }),
    breakers: (areOpen: () => (readonly [service: string, isOpen: boolean])[]) =>
      new Gauge({
        name: 'gateway_breaker_open',
        help: 'Whether requests to a service are refused at once because it hangs: 1 or 0',
        labelNames: ['service'] as const,
        registers,
        collect() {
          for (const [service, isOpen] of areOpen()) this.set({ service }, isOpen ? 1 : 0)
        },
      }),
    upstreamFailures: new Counter({
      name: 'gateway_upstream_failures_total',
      help: 'Forwarded requests that got no valid answer, by service and reason',
      labelNames: ['service', 'reason'] as const,
      registers,
    }),
    internalTokens: new Counter({
      name: 'gateway_internal_tokens_total',
      help: 'Internal tokens signed',
      registers,
    }),
  }
}
