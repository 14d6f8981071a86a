import { expect, test } from 'vitest'
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

test('without settings no provider is configured', () => {
  expect(configuredProviders(defaults)).toEqual([])
})

test('a secret key configures Stripe with all its webhook secrets', () => {
  expect(configuredProviders({ ...defaults, ...stripe })).toEqual([
    { name: 'Stripe', secretKey: 'sk_live_1', publishableKey: 'pk_live_1', webhookSecrets: ['whsec_new', 'whsec_old'] },
  ])
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
  expect(sandbox).toMatchObject({ name: 'Sandbox', baseUrl: 'http://127.0.0.1:9100', webhookSecrets: ['whsec_1'] })
})
