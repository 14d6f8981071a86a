import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import process from 'node:process'
import { createInterface } from 'node:readline'
import { eventually, openReceiver, throwAwayDatabase } from '@frontdesk/testing'
import type Stripe from 'stripe'
import { expect, test } from 'vitest'
import { hostedSession, makeAccount, secretKey, stripeAt } from './running-sandbox.ts'

/** Starts the sandbox as a process of its own and waits until it is ready. The test ends it. */
async function spawnSandbox(env: Record<string, string>): Promise<{ url: string; child: ChildProcess }> {
  const child = spawn(process.execPath, [resolve(import.meta.dirname, '../src/main.ts')], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  for await (const line of createInterface({ input: child.stdout })) {
    const record = JSON.parse(line) as { msg: string; url: string }
    if (record.msg === 'ready') {
      child.stdout.resume()
      return { url: record.url, child }
    }
  }
  throw new Error('the sandbox did not start')
}

test('a webhook that was not acknowledged before a crash is sent by the next process', async () => {
  await using database = await throwAwayDatabase('sandbox-provider')
  await using receiver = await openReceiver()
  receiver.reply(() => 'hang')
  const env = {
    FRONTDESK_MODE: 'development',
    SANDBOX_PROVIDER_DATABASE_URL: database.runtimeUrl,
    SANDBOX_SECRET_KEY: secretKey,
    SANDBOX_WEBHOOK_URL_PAYMENTS: receiver.url,
    SHUTDOWN_DRAIN: '0s',
  }
  const first = await spawnSandbox(env)
  const control = (path: string) => fetch(`${first.url}/_control/${path}`, { method: 'POST' })
  const stripe = stripeAt(first.url)
  const stripeAccount = await makeAccount({ stripe, control })
  const session = await stripe.checkout.sessions.create(hostedSession(), { stripeAccount })
  expect((await control(`checkouts/${session.id}/pay`)).status).toBe(204)
  await eventually(() => expect(receiver.requests.length).toBeGreaterThan(0))
  first.child.kill('SIGKILL')
  await once(first.child, 'exit')
  receiver.requests.length = 0
  receiver.reply(() => ({ status: 200 }))

  const second = await spawnSandbox(env)
  await eventually(() => {
    const events = receiver.requests.map((request) => JSON.parse(request.body) as Stripe.Event)
    expect(events.map((event) => event.type).toSorted()).toEqual([
      'checkout.session.completed',
      'payment_intent.succeeded',
    ])
  })
  const paid = await stripeAt(second.url).checkout.sessions.retrieve(session.id, {}, { stripeAccount })
  expect(paid.payment_status).toBe('paid')
  second.child.kill('SIGTERM')
  expect(await once(second.child, 'exit')).toEqual([0, null])
})
