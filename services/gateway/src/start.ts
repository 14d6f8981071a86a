import { openBus } from '@frontdesk/events'
import { openInternalClient } from '@frontdesk/service/calls'
import { createMetrics, listen } from '@frontdesk/service/http'
import { readConfig, type Running, type Start } from '@frontdesk/service/process'
import { openTokenIssuer } from '@frontdesk/service/tokens'
import { createCallers } from './access/callers.ts'
import { createRegistrySites } from './access/registry-sites.ts'
import { followSiteEvents } from './access/site-events.ts'
import { createApp } from './app.ts'
import { Config } from './config.ts'
import { createInternalTokens } from './forwarding/internal-token-cache.ts'
import { openUpstreams } from './forwarding/upstreams.ts'
import { openMetricsServer } from './metrics-server.ts'
import { openMountedFile } from './mounted-file.ts'
import { watchEventLoop } from './overload/event-loop.ts'
import { startShedding } from './overload/shedding.ts'
import { createRateLimits } from './rate-limits/limits.ts'
import { createTelemetry } from './telemetry.ts'
import { parseClients } from './tokens/clients.ts'
import { parseExternalIssuers } from './tokens/external-issuers.ts'
import { parseTokenKeys } from './tokens/token-keys.ts'
import { openAccessTokenVerifier } from './tokens/verify-token.ts'

/**
 * Starts the gateway. It needs its own files only: without NATS it learns of changed sites within a minute, and without
 * a service it answers 503 for that service's operations.
 */
export async function start({ env, log }: Start): Promise<Running> {
  const config = readConfig(Config, env)
  // Disposed of from the last to the first: requests end before what they use.
  await using opened = new AsyncDisposableStack()
  const metrics = createMetrics()
  const telemetry = createTelemetry(metrics)

  const clients = opened.use(await openMountedFile({ path: config.CLIENTS_FILE, parse: parseClients, log }))
  const keys = opened.use(await openMountedFile({ path: config.TOKEN_KEYS_FILE, parse: parseTokenKeys, log }))
  const issuersFile = config.EXTERNAL_ISSUERS_FILE
  const issuers =
    issuersFile === undefined
      ? undefined
      : opened.use(await openMountedFile({ path: issuersFile, parse: parseExternalIssuers, log }))

  const issuer = await openTokenIssuer('gateway', config.INTERNAL_KEY_FILE)
  const urls = {
    registry: config.REGISTRY_URL,
    accounts: config.ACCOUNTS_URL,
    payments: config.PAYMENTS_URL,
    'webhook-delivery': config.WEBHOOK_DELIVERY_URL,
  }
  const internal = opened.use(openInternalClient(issuer, urls))
  const upstreams = opened.use(openUpstreams({ urls, maxInFlight: config.MAX_IN_FLIGHT_PER_SERVICE, telemetry }))
  const sites = createRegistrySites(internal, telemetry)
  const bus = opened.use(openBus({ url: config.NATS_URL, name: 'gateway', log }))
  opened.use(runInBackground((signal) => followSiteEvents({ bus, sites, log, telemetry, signal })))

  const shedding = opened.use(
    startShedding({
      maxInFlight: config.MAX_IN_FLIGHT,
      maxEventLoopDelay: config.MAX_EVENT_LOOP_DELAY,
      maxEventLoopUtilisation: config.MAX_EVENT_LOOP_UTILISATION,
      eventLoop: watchEventLoop(),
      telemetry,
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
    upstreams,
    shedding,
    telemetry,
    log,
    metrics,
    limits: createRateLimits(telemetry),
    callerOf: createCallers({ verify: openAccessTokenVerifier({ publicUrl, keys, issuers }), clients, sites }),
    tokenFor: createInternalTokens(issuer, telemetry),
    trustedProxies: (config.TRUSTED_PROXIES ?? '').split(',').flatMap((address) => address.trim() || []),
    // Its files were read, or it would not have started; NATS and the services gate nothing.
    ready: async () => ({ clients: clients.current().size, nats: bus.isConnected() ? 'connected' : 'away' }),
  })
  if (config.METRICS_PORT !== undefined) {
    const server = opened.use(await openMetricsServer(metrics, { host: config.HOST, port: config.METRICS_PORT }))
    log.info({ url: server.url }, 'metrics')
  }
  opened.defer(() => app.close())
  const url = await listen(app, { host: config.HOST, port: config.PORT })
  const running = opened.move()
  return { url, [Symbol.asyncDispose]: () => running.disposeAsync() }
}

/** Runs something until it is disposed of, and waits for its end. */
function runInBackground(work: (signal: AbortSignal) => Promise<void>): AsyncDisposable {
  const stop = new AbortController()
  const running = work(stop.signal)
  return {
    async [Symbol.asyncDispose]() {
      stop.abort()
      await running
    },
  }
}
