import Stripe from 'stripe'
import { expect, test } from 'vitest'
import type { ProviderConfig } from './providers.ts'
import { configuredProviders } from './settings.ts'

const defaults = {
  STRIPE_PUBLISHABLE_KEY: '',
  STRIPE_WEBHOOK_SECRETS: '',
  SANDBOX_SECRET_KEY: 'sk_test_sandbox',
  SANDBOX_PUBLISHABLE_KEY: 'pk_test_sandbox',
  SANDBOX_WEBHOOK_SECRETS: '',
}
const stripe = {
  STRIPE_SECRET_KEY: 'sk_live_1',
  STRIPE_PUBLISHABLE_KEY: 'pk_live_1',
  STRIPE_WEBHOOK_SECRETS: 'whsec_new, whsec_old,',
}

const event = JSON.stringify({
  object: 'event',
  id: 'evt_1',
  type: 'account.updated',
  created: 1,
  livemode: true,
  data: { object: {} },
})

/** The provider of a configuration, which makes no calls here. */
const connected = (config: ProviderConfig | undefined) =>
  config?.connect({
    http: { exchange: () => Promise.reject(new Error('not called')) },
    calls: () => () => Promise.reject(new Error('not called')),
  })

test('without settings no provider is configured', () => {
  expect(configuredProviders(defaults)).toEqual([])
})

test('a secret key configures Stripe with all its webhook secrets', () => {
  const [config] = configuredProviders({ ...defaults, ...stripe })
  const provider = connected(config)
  expect(provider).toMatchObject({ name: 'Stripe', livemode: true, publishableKey: 'pk_live_1' })
  for (const secret of ['whsec_new', 'whsec_old']) {
    const signature = Stripe.webhooks.generateTestHeaderString({ payload: event, secret })
    const webhook = { body: Buffer.from(event), headers: { 'stripe-signature': signature } }
    expect(provider?.receiveWebhook(webhook, new Date()).events).toMatchObject([{ id: 'evt_1' }])
  }
})

test.each(['STRIPE_PUBLISHABLE_KEY', 'STRIPE_WEBHOOK_SECRETS'])(
  'Stripe without %s is a configuration error',
  (missing) => {
    expect(() => configuredProviders({ ...defaults, ...stripe, [missing]: '' })).toThrow(missing)
  },
)

test('an address configures the sandbox', () => {
  const [sandbox] = configuredProviders({
    ...defaults,
    SANDBOX_PROVIDER_URL: 'http://127.0.0.1:9100',
    SANDBOX_WEBHOOK_SECRETS: 'whsec_1',
  })
  expect(sandbox).toMatchObject({ name: 'Sandbox' })
  expect(connected(sandbox)).toMatchObject({ name: 'Sandbox', livemode: false, publishableKey: 'pk_test_sandbox' })
})
