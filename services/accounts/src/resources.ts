import { databaseUrls, type Pool } from '@frontdesk/database'
import { openBus, type Bus, type Relay } from '@frontdesk/events'
import { configuredProviders, openProviders } from '@frontdesk/providers'
import type { ServiceClock } from '@frontdesk/service/background'
import { openInternalClient } from '@frontdesk/service/calls'
import { openKeyRing } from '@frontdesk/service/encryption'
import { watchPools } from '@frontdesk/service/metrics'
import { openInternalTls, type InternalTls } from '@frontdesk/service/tls'
import { openMountedIssuer } from '@frontdesk/service/tokens'
import type { Logger } from 'pino'
import type { Registry } from 'prom-client'
import type { Static } from 'typebox'
import type { RouteDeps } from './accounts/routes.ts'
import type { Config } from './config.ts'
import { openDatabase } from './db.ts'

const service = 'accounts'

/** The parts that the running service and an operator's commands both use. */
export interface Resources extends AsyncDisposable {
  pool: Pool
  bus: Bus
  /** The certificates for calls between services, if it has any. */
  tls: InternalTls | undefined
  /** Returns the dependencies of operations; `relay` is woken after each commit with events, `now` tells their time. */
  depsWith(relay: Pick<Relay, 'wake'>, now: ServiceClock['now']): RouteDeps
}

/** Opens database, bus, providers and peers. None of them connects before it is used. */
export async function openResources(
  config: Readonly<Static<typeof Config>>,
  { log, registry }: { log: Logger; registry: Registry },
): Promise<Resources> {
  await using opened = new AsyncDisposableStack()
  const tls = opened.use(await openInternalTls(config, log))
  const { pool, prisma } = opened.use(
    openDatabase({ url: databaseUrls('ACCOUNTS', config).url, size: config.DATABASE_POOL_SIZE, log }),
  )
  watchPools(registry, { requests: pool })
  const bus = opened.use(openBus({ settings: config, name: service, log }))
  const internal = opened.use(
    openInternalClient(
      opened.use(await openMountedIssuer(service, config, log)),
      { payments: config.PAYMENTS_URL },
      { tls },
    ),
  )
  const publicUrl = config.PUBLIC_URL
  const shared = {
    pool,
    prisma,
    origin: { service, publicUrl },
    providers: opened.use(
      openProviders(configuredProviders(config), { log, registry, share: config.PROVIDER_CALLS_PERCENT / 100 }),
    ),
    ring: opened.use(await openKeyRing(config.ENCRYPTION_KEYS_FILE, log)),
    internal,
    publicUrl,
    allowHttp: config.RETURN_URL_ALLOW_HTTP,
  }
  const owned = opened.move()
  return {
    pool,
    bus,
    tls,
    depsWith: (relay, now) => ({ ...shared, relay, now }),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}
