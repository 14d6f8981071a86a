import { databaseUrls, newestMigration, openPool, openReadiness } from '@frontdesk/database'
import { createServer, listen } from '@frontdesk/service/http'
import { createMetrics } from '@frontdesk/service/metrics'
import { readConfig, type Running, type Start } from '@frontdesk/service/process'
import { createAccounts } from './accounts/commands.ts'
import { registerApp } from './app.ts'
import { startBackground } from './background.ts'
import { openCalls } from './calls/calls.ts'
import { createCheckouts } from './checkout/commands.ts'
import { environment } from './config.ts'
import { openCredentials } from './credentials/credentials.ts'
import { openFaults } from './faults/faults.ts'
import { createInboxes } from './inbox/inboxes.ts'
import { openSender } from './webhooks/sender.ts'
import { handledEvents } from './webhooks/store.ts'

/** Starts database, webhook sender, background work and server. Disposing the result stops them in reverse order. */
export async function start({ env, log, signal }: Start): Promise<Running> {
  const config = readConfig(environment, env)
  const now = () => new Date()
  await using opened = new AsyncDisposableStack()

  const { url: databaseUrl } = databaseUrls('SANDBOX_PROVIDER', config)
  const pool = openPool({
    url: databaseUrl,
    name: 'sandbox-provider',
    size: 12,
    onError: (error) => log.warn({ err: error }, 'a database connection was lost'),
  })
  opened.defer(() => pool.end())

  const faults = await openFaults(pool)
  const credentials = openCredentials(config.SANDBOX_SECRET_KEY, config.SANDBOX_WEBHOOK_SECRET)
  const webhookAddresses = addresses(config.SANDBOX_WEBHOOK_URL_PAYMENTS, config.SANDBOX_WEBHOOK_URL_ACCOUNTS)
  const enabledEvents = config.SANDBOX_WEBHOOK_EVENTS?.split(',').map((type) => type.trim()) ?? handledEvents
  const sender = opened.use(
    await openSender({
      pool,
      log,
      now,
      faults,
      secrets: (destination) => credentials.current().webhookSecrets[destination],
      addresses: webhookAddresses,
      enabledEvents,
    }),
  )

  let url = config.PUBLIC_URL?.replace(/\/+$/, '') ?? ''
  const baseUrl = () => url
  const checkouts = createCheckouts({
    pool,
    webhooks: sender,
    baseUrl,
    staysPending: () => faults.refund('pending') !== undefined,
    now,
  })
  const accounts = createAccounts({ pool, webhooks: sender, now })

  opened.use(startBackground({ pool, checkouts, log }))

  const migration = newestMigration(new URL('../prisma/migrations', import.meta.url))
  const database = opened.use(
    openReadiness({ name: 'sandbox-provider', url: databaseUrl, directUrl: databaseUrl, migration }),
  )
  const app = createServer({
    name: 'sandbox-provider',
    stopping: signal,
    log,
    metrics: createMetrics({ service: 'sandbox-provider', release: config.RELEASE }),
    async ready() {
      await database.check()
      return {}
    },
  })
  registerApp(app, {
    pool,
    credentials,
    addresses: webhookAddresses,
    enabledEvents,
    webhooks: sender,
    checkouts,
    accounts,
    faults,
    calls: openCalls(),
    inboxes: createInboxes({ pool, now }),
    baseUrl,
    now,
  })
  opened.defer(() => app.close())
  const listening = await listen(app, { host: config.HOST, port: config.PORT })
  if (url === '') url = listening

  const running = opened.move()
  return { url: listening, [Symbol.asyncDispose]: () => running.disposeAsync() }
}

function addresses(
  payments: string | undefined,
  accounts: string | undefined,
): { payments?: string; accounts?: string } {
  return { ...(payments !== undefined && { payments }), ...(accounts !== undefined && { accounts }) }
}
