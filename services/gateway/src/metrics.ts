import { Counter, Gauge, type Registry } from 'prom-client'

export type GatewayMetrics = ReturnType<typeof createGatewayMetrics>

/** Makes the gateway's own metrics. The HTTP server counts requests by route and status. */
export function createGatewayMetrics(registry: Registry) {
  const registers = [registry]
  return {
    logins: new Counter({
      name: 'gateway_logins_total',
      help: 'Requests at the token endpoint, by outcome',
      labelNames: ['outcome'] as const,
      registers,
    }),
    refusedCredentials: new Counter({
      name: 'gateway_refused_credentials_total',
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
      help: 'Questions to registry about sites, by outcome',
      labelNames: ['outcome'] as const,
      registers,
    }),
    staleSites: new Counter({
      name: 'gateway_stale_sites_total',
      help: 'Requests served with an old answer about a site because registry did not answer',
      registers,
    }),
    /** Measured when the metrics are read: nothing reports a lost connection. */
    siteEventsFollowed: (isFollowing: () => boolean) =>
      new Gauge({
        name: 'gateway_site_events_followed',
        help: 'Whether site events reach this replica: 1 or 0',
        registers,
        collect() {
          this.set(isFollowing() ? 1 : 0)
        },
      }),
    shed: new Counter({
      name: 'gateway_shed_total',
      help: 'Requests refused because of the load, by the limit that was exceeded',
      labelNames: ['reason'] as const,
      registers,
    }),
    /** Measured when the metrics are read, as are the breakers: setting a gauge would take time in each request. */
    inFlight: (counts: () => Readonly<Record<string, number>>) =>
      new Gauge({
        name: 'gateway_requests_in_flight',
        help: 'Requests under way, of clients and of providers (webhooks), and those of both whose bodies are on their way',
        labelNames: ['source'] as const,
        registers,
        collect() {
          for (const [source, count] of Object.entries(counts())) this.set({ source }, count)
        },
      }),
    breakers: (areOpen: () => (readonly [service: string, isOpen: boolean])[]) =>
      new Gauge({
        name: 'gateway_breaker_open',
        help: 'Whether the breaker of a service is open, so that requests are refused at once: 1 or 0',
        labelNames: ['service'] as const,
        registers,
        collect() {
          for (const [service, isOpen] of areOpen()) this.set({ service }, isOpen ? 1 : 0)
        },
      }),
    upstreamFailures: new Counter({
      name: 'gateway_upstream_failures_total',
      help: 'Forwarded requests without an answer, by service and reason',
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
