import { openBus, watchBus } from '@frontdesk/events'
import { createInternalClient, openPeers } from '@frontdesk/service/calls'
import { listen } from '@frontdesk/service/http'
import { createMetrics } from '@frontdesk/service/metrics'
import { openMountedFile } from '@frontdesk/service/mounted-files'
import { parseDuration, readConfig, type Running, type Start } from '@frontdesk/service/process'
import { openInternalTls } from '@frontdesk/service/tls'
import { openMountedIssuer, type TokenIssuer } from '@frontdesk/service/tokens'
import { createCallers } from './access/callers.ts'
import { tellClientRights } from './access/client-rights.ts'
import { createRegistrySites } from './access/registry-sites.ts'
import { followSiteEvents } from './access/site-events.ts'
import { createApp } from './app.ts'
import { Config } from './config.ts'
import { readSite } from './documents/site.ts'
import { createSendUpstream } from './forwarding/upstreams.ts'
import { createGatewayMetrics, type GatewayMetrics } from './metrics.ts'
import { openMetricsServer } from './metrics-server.ts'
import { createArrivals } from './overload/arrivals.ts'
import { watchEventLoop } from './overload/event-loop.ts'
import { startShedding } from './overload/shedding.ts'
import { createRateLimits } from './rate-limits/limits.ts'
import { parseClients } from './tokens/clients.ts'
import { parseExternalIssuers } from './tokens/external-issuers.ts'
import { parseTokenKeys } from './tokens/token-keys.ts'
import { openAccessTokenVerifier } from './tokens/verify-token.ts'

/**
 * Starts the gateway. It needs only its own files: without NATS it learns of changed sites within a minute, and without a
 * service it answers 503 to that service's operations.
 */
export async function start({ env, log, signal }: Start): Promise<Running> {
  const config = readConfig(Config, env)
  // Disposed of from last to first: requests end before the resources that they use.
  await using opened = new AsyncDisposableStack()
  const metricsRegistry = createMetrics({ service: 'gateway', release: config.RELEASE })
  const metrics = createGatewayMetrics(metricsRegistry)

  const readClients = (text: string) => parseClients(text, config.FRONTDESK_MODE)
  const clients = opened.use(await openMountedFile({ path: config.CLIENTS_FILE, parse: readClients, log }))
  const keys = opened.use(await openMountedFile({ path: config.TOKEN_KEYS_FILE, parse: parseTokenKeys, log }))
  const issuersFile = config.EXTERNAL_ISSUERS_FILE
  const issuers =
    issuersFile === undefined
      ? undefined
      : opened.use(
          await openMountedFile({
            path: issuersFile,
            parse: (text) => parseExternalIssuers(text, config.FRONTDESK_MODE),
            log,
          }),
        )

  const issuer = counting(opened.use(await openMountedIssuer('gateway', config, log)), metrics)
  const urls = {
    registry: config.REGISTRY_URL,
    accounts: config.ACCOUNTS_URL,
    payments: config.PAYMENTS_URL,
    'webhook-delivery': config.WEBHOOK_DELIVERY_URL,
  }
  const tls = opened.use(await openInternalTls(config, log))
  const connectionAgeMs = parseDuration(config.UPSTREAM_CONNECTION_AGE)
  const peers = opened.use(openPeers(issuer, urls, { connectionAgeMs, tls }))
  const internal = createInternalClient(peers)
  const sites = createRegistrySites(internal, metrics)
  const bus = watchBus(metricsRegistry, opened.use(openBus({ settings: config, name: 'gateway', log })))
  const background = new AbortController()
  const following = followSiteEvents({ bus, sites, log, metrics, signal: background.signal })
  const telling = tellClientRights({ clients, internal, log, signal: background.signal })
  opened.defer(async () => {
    background.abort()
    await Promise.all([following, telling])
  })

  const limits = createRateLimits(metrics)
  const arrivals = createArrivals(config.MAX_UNPROVEN_ARRIVING, metrics)
  const shedding = opened.use(
    startShedding({
      maxInFlight: { clients: config.MAX_IN_FLIGHT, providers: config.MAX_WEBHOOKS_IN_FLIGHT },
      arriving: arrivals.count,
      maxEventLoopDelayMs: parseDuration(config.MAX_EVENT_LOOP_DELAY),
      maxEventLoopUtilisation: config.MAX_EVENT_LOOP_UTILISATION,
      eventLoop: watchEventLoop(),
      metrics,
      log,
    }),
  )
  const publicUrl = config.PUBLIC_URL
  const app = createApp({
    publicUrl,
    clients,
    keys,
    sites,
    internal,
    send: createSendUpstream({ peers, maxInFlight: config.MAX_IN_FLIGHT_PER_SERVICE, metrics }),
    shedding,
    arrivals,
    metrics,
    metricsRegistry,
    log,
    limits,
    callerOf: createCallers({ verify: openAccessTokenVerifier({ publicUrl, keys, issuers }), clients, sites, limits }),
    site: await readSite(config.DOCS_FOLDER),
    trustedProxies: (config.TRUSTED_PROXIES ?? '').split(',').flatMap((address) => address.trim() || []),
    // Its files were read, or it would not have started. It needs neither NATS nor the services to be ready.
    stopping: signal,
    ready: async () => ({ nats: bus.state() }),
  })
  if (config.METRICS_PORT !== undefined) {
    const server = opened.use(
      await openMetricsServer(metricsRegistry, { host: config.HOST, port: config.METRICS_PORT }),
    )
    log.info({ url: server.url }, 'metrics')
  }
  opened.defer(() => app.close())
  const url = await listen(app, { host: config.HOST, port: config.PORT })
  const running = opened.move()
  return { url, [Symbol.asyncDispose]: () => running.disposeAsync() }
}

function counting(issuer: TokenIssuer, metrics: GatewayMetrics): TokenIssuer {
  return {
    ...issuer,
    mint(audience, claims) {
      metrics.internalTokens.inc()
      return issuer.mint(audience, claims)
    },
  }
}
