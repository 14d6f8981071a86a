import { expect, test } from 'vitest'
import { developmentFaults } from './modes.ts'

/** A deployment's settings, which need nothing of development. */
const deployed = {
  FRONTDESK_MODE: 'production',
  HOST: '0.0.0.0',
  INTERNAL_JWKS_FILE: '/run/keys/internal-jwks.json',
  INTERNAL_TLS: 'mutual',
  PUBLIC_URL: 'https://api.example',
  ACCOUNTS_URL: 'https://accounts:8443',
  NATS_URL: 'tls://nats-1:4222,tls://nats-2:4222',
  PAYMENTS_DATABASE_URL: 'postgresql://payments_runtime:secret@db:5432/payments?sslmode=verify-full',
  STRIPE_SECRET_KEY: 'sk_live_1',
  STRIPE_PUBLISHABLE_KEY: 'pk_live_1',
  DELIVERY_ALLOW_LOOPBACK: false,
  DELIVERY_ALLOW_HTTP: false,
  RETURN_URL_ALLOW_HTTP: false,
}

const database = 'PAYMENTS_DATABASE_URL'
const cases: readonly [setting: string, value: unknown, why: RegExp][] = [
  ['DELIVERY_ALLOW_LOOPBACK', true, /listens on the machine/],
  ['DELIVERY_ALLOW_HTTP', true, /in the clear/],
  ['RETURN_URL_ALLOW_HTTP', true, /in the clear/],
  ['SANDBOX_PROVIDER_URL', 'https://sandbox.example', /pays without money/],
  ['SANDBOX_PROVIDER_DATABASE_URL', 'postgresql://sandbox_runtime:x@localhost/sandbox', /pays without money/],
  ['STRIPE_PUBLISHABLE_KEY', 'pk_test_1', /is a test key and STRIPE_SECRET_KEY a live one/],
  ['STRIPE_SECRET_KEY', 'sk_org_test_1', /STRIPE_PUBLISHABLE_KEY .* is a live key and STRIPE_SECRET_KEY a test one/],
  ['PUBLIC_URL', 'http://api.example', /in the clear/],
  ['PUBLIC_URL', 'http://127.0.0.1:8080', /in the clear/],
  ['ACCOUNTS_URL', 'http://accounts:8080', /INTERNAL_TLS=mutual, or mesh/],
  ['INTERNAL_TLS', undefined, /HOST .* INTERNAL_TLS=mutual, or mesh/],
  ['NATS_TLS', 'off', /NATS_URL .* NATS_TLS=required, or mesh/],
  [database, 'postgresql://postgres:secret@db/payments?sslmode=verify-full', /superuser/],
  [database, 'postgresql://db/payments?sslmode=verify-full', /superuser/],
  [database, 'postgresql://payments_runtime@db/payments?sslmode=verify-full', /PAYMENTS_DATABASE_PASSWORD_FILE/],
  [database, 'postgresql://payments_runtime:x@db/payments', /sslmode=verify-full/],
  [database, 'postgresql://payments_runtime:x@db/payments?sslmode=require', /sslmode=verify-full/],
]

test('the settings of a deployment need no development mode', () => {
  expect(developmentFaults(deployed)).toEqual([])
})

test.each(cases)('%s=%s needs development mode, which alone allows it', (setting, value, why) => {
  const settings = { ...deployed, [setting]: value }
  const faults = developmentFaults(settings)
  expect(faults).toHaveLength(1)
  expect(faults[0]).toMatch(/^\w+ needs FRONTDESK_MODE=development: /)
  expect(faults[0]).toMatch(why)
  expect(developmentFaults({ ...settings, FRONTDESK_MODE: 'development' })).toEqual([])
})

test.each([
  ['ACCOUNTS_URL', { ACCOUNTS_URL: 'http://accounts:8080', INTERNAL_TLS: 'mesh' }],
  ['ACCOUNTS_URL on this machine', { ACCOUNTS_URL: 'http://127.0.0.1:9000' }],
  ['HOST of the gateway', { INTERNAL_TLS: undefined, CLIENTS_FILE: '/run/clients.json' }],
  ['NATS_URL', { NATS_URL: 'nats://nats-1:4222', NATS_TLS: 'mesh' }],
  ['NATS_URL on this machine', { NATS_URL: 'nats://127.0.0.1:4222,localhost:4223', NATS_TLS: 'off' }],
  ['a socket', { [database]: 'postgresql://payments_runtime:x@%2Fvar%2Frun/payments' }],
  [
    'a password file',
    {
      PAYMENTS_DIRECT_DATABASE_URL: 'postgresql://payments_runtime@localhost/payments',
      PAYMENTS_DATABASE_PASSWORD_FILE: '/run/keys/postgres',
      PAYMENTS_OWNER_DATABASE_URL: 'postgresql://payments_owner@localhost/payments',
      PAYMENTS_OWNER_DATABASE_PASSWORD_FILE: '/run/keys/postgres-owner',
    },
  ],
])('%s needs no development mode where others see to it', (_title, more) => {
  expect(developmentFaults({ ...deployed, ...more })).toEqual([])
})

test('a reason never tells the value', () => {
  const url = 'postgresql://postgres:swordfish@db/payments'
  expect(developmentFaults({ [database]: url }).join()).not.toContain('swordfish')
})
