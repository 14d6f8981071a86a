import { setTimeout as wait } from 'node:timers/promises'
import { freePort } from '@frontdesk/dev-stack/processes'
import { openInternalClient } from '@frontdesk/service/calls'
import { openTokenIssuer } from '@frontdesk/service/tokens'
import { eventually } from '@frontdesk/testing'
import type { SandboxWebhook } from '@frontdesk/testing/provider-fixture'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { start } from '../src/start.ts'
import { checkup, newKey, openPaymentsFixture, someSite, type PaymentsFixture } from './payments-fixture.ts'

/** A replica behind a balancer that sends nothing to one that is being restarted. */
interface Replica {
  url: string
  serves: boolean
  underWay: number
  stop(): Promise<void>
}

/** The replicas of a service. */
interface Replicas {
  /** Runs `work` at a replica that serves, each in its turn. */
  at<T>(work: (replica: Replica) => Promise<T>): Promise<T>
  /** Restarts all, one after the other, with these settings. */
  restart(env: Record<string, string>): Promise<void>
}

type StartReplica = (env: Record<string, string>) => Promise<{ url: string; stop(): Promise<void> }>

async function openReplicas(stack: AsyncDisposableStack, startOne: StartReplica): Promise<Replicas> {
  const replicas: Replica[] = []
  stack.defer(async () => void (await Promise.all(replicas.map((replica) => replica.stop()))))
  for (let count = 0; count < 2; count++) replicas.push({ ...(await startOne({})), serves: true, underWay: 0 })
  let turn = 0
  return {
    async at(work) {
      const serving = replicas.filter(({ serves }) => serves)
      const replica = serving[turn++ % serving.length]
      if (replica === undefined) throw new Error('no replica serves')
      replica.underWay++
      try {
        return await work(replica)
      } finally {
        replica.underWay--
      }
    },
    async restart(env) {
      for (const replica of replicas) {
        replica.serves = false
        while (replica.underWay > 0) await wait(5)
        await replica.stop()
        Object.assign(replica, await startOne(env), { serves: true })
      }
    },
  }
}

const log = pino({ level: 'silent' })

/** Payments runs in this process, as it does in the fixture. */
function paymentsIn(fixture: PaymentsFixture): StartReplica {
  return async (env) => {
    const stopping = new AbortController()
    const running = await start({
      env: { ...fixture.env('payments'), PORT: '0', ...env },
      log,
      signal: stopping.signal,
    })
    return { url: running.url, stop: async () => running[Symbol.asyncDispose]() }
  }
}

function accountsBeside(fixture: PaymentsFixture): StartReplica {
  return async (env) => {
    const port = await freePort()
    const server = await fixture.spawn('accounts', { PORT: String(port), ...env })
    return { url: `http://127.0.0.1:${port}`, stop: () => server.stop() }
  }
}

// Seven processes are started one after the other.
const onASlowMachine = { timeout: 180_000 }

test(
  'the secret key of the provider and both webhook secrets are replaced under load, and nothing fails',
  onASlowMachine,
  async () => {
    await using stack = new AsyncDisposableStack()
    const fixture = stack.use(await openPaymentsFixture())
    const site = await fixture.readySite()
    await fixture.stop()
    await fixture.accounts.stop()
    const payments = await openReplicas(stack, paymentsIn(fixture))
    const accounts = await openReplicas(stack, accountsBeside(fixture))
    const gateway = openTokenIssuer('gateway', fixture.credentials.internalKeys('gateway'))
    const failures: unknown[] = []

    async function pass({ for: destination, signature, body }: SandboxWebhook, { url }: Replica): Promise<number> {
      await using client = openInternalClient(gateway, { accounts: url, payments: url })
      const operation = destination === 'accounts' ? 'receiveAccountWebhook' : 'receivePaymentWebhook'
      await client.call(operation, { Provider: 'Sandbox' }, { bytes: body, headers: { 'stripe-signature': signature } })
      return 200
    }
    const received = { accounts: 0, payments: 0 }
    fixture.onWebhook(async (webhook) => {
      const replicas = webhook.for === 'accounts' ? accounts : payments
      const status = await replicas
        .at((replica) => pass(webhook, replica))
        .catch((error: unknown) => {
          failures.push([webhook.type, error])
          return 500
        })
      received[webhook.for]++
      return status
    })

    const paid: string[] = []
    async function payOne(): Promise<void> {
      const body = { ...checkup, Reference: newKey() }
      const created = await payments.at(({ url: at }) =>
        fixture.call('createPayment', site, { body, key: newKey(), at }),
      )
      expect(created.status).toBe(201)
      await fixture.control(`checkouts/${created.body.PaymentId}/pay`)
      paid.push(created.body.RecordId)
    }
    let opened = 0
    async function openOne(): Promise<void> {
      const body = { paymentProvider: 'Sandbox' as const }
      const answer = await accounts.at(({ url: at }) => fixture.call('createAccount', someSite(), { body, at }))
      expect(answer.status).toBe(201)
      await fixture.control(`accounts/${answer.body.account.externalAccountId}/complete`)
      opened++
    }
    let isOver = false
    const goOn = async (one: () => Promise<void>): Promise<void> => {
      while (!isOver && failures.length === 0) {
        await one().catch((error: unknown) => failures.push(error))
        await wait(20)
      }
    }
    /** Waits until so much more has been done by each load and told by webhooks of each endpoint. */
    const more = async (): Promise<void> => {
      const progress = () => Math.min(paid.length, opened, received.payments, received.accounts)
      for (const wanted = progress() + 3; progress() < wanted && failures.length === 0;) await wait(10)
    }
    const present = { key: 'sk_test_sandbox', secret: fixture.credentials.sandboxWebhookSecret }
    const next = { key: 'sk_test_the_next_one', payments: 'whsec_payments_next', accounts: 'whsec_accounts_next' }
    const settings = (secret: string) => ({
      SANDBOX_SECRET_KEY: next.key,
      SANDBOX_WEBHOOK_SECRETS: `${secret},${present.secret}`,
    })
    const callWith = async (key: string) =>
      (
        await fetch(`${fixture.url('sandbox-provider')}/v1/accounts/acct_none`, {
          headers: { authorization: `Bearer ${key}` },
        })
      ).status

    const loads = [payOne, payOne, openOne].map(goOn)
    try {
      await more()
      await fixture.control('credentials', {
        secretKeys: [present.key, next.key],
        webhookSecrets: { payments: [next.payments, present.secret], accounts: [next.accounts, present.secret] },
      })
      await Promise.all([payments.restart(settings(next.payments)), accounts.restart(settings(next.accounts))])
      await more()
      await fixture.control('credentials', {
        secretKeys: [next.key],
        webhookSecrets: { payments: [next.payments], accounts: [next.accounts] },
      })
      expect(await callWith(present.key)).toBe(401)
      expect(await callWith(next.key)).not.toBe(401)
      await more()
    } finally {
      isOver = true
      await Promise.all(loads)
    }
    expect(failures).toEqual([])
    await eventually(async () => {
      const { rows } = await fixture.pool.query(`select status, count(*)::int as payments from payments group by 1`)
      expect(rows).toEqual([{ status: 'Completed', payments: paid.length }])
    })
  },
)
