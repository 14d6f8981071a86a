import Stripe from 'stripe'
import { expect, test } from 'vitest'
import { eventTypes } from './event-types.ts'
import { checkEndpoints, checkKeys, checkPlatform, type Endpoint } from './setup.ts'

const settings = {
  name: 'Stripe',
  secretKey: 'rk_live_1',
  publishableKey: 'pk_live_1',
  webhookSecrets: ['whsec_1'],
} as const
const levels = (findings: { level: string }[]) => findings.map(({ level }) => level)
const bad = (findings: { level: string; about: string; text: string }[]) =>
  findings.filter(({ level }) => level !== 'ok').map(({ level, about, text }) => `${level} ${about}: ${text}`)

test('keys of one mode are right, and the check says whether money is real', () => {
  const findings = checkKeys(settings)
  expect(bad(findings)).toEqual([])
  expect(findings[0]?.text).toContain('live mode, which moves real money')
  expect(checkKeys({ ...settings, secretKey: 'rk_test_1', publishableKey: 'pk_test_1' })[0]?.text).toContain(
    'test mode',
  )
})

test.each([
  [{ publishableKey: 'pk_test_1' }, /fault publishable key: is of test mode, the secret key of live mode/],
  [{ secretKey: 'sk_org_live_1', publishableKey: 'pk_test_1' }, /fault publishable key: is of test mode/],
  [{ publishableKey: 'rk_live_1' }, /fault publishable key: does not begin with pk_/],
  [{ secretKey: 'pk_live_1' }, /fault secret key/],
  [{ secretKey: 'sk_live_1' }, /warning secret key: a restricted key/],
  [{ webhookSecrets: [] }, /fault webhook secrets: there are none/],
  [{ webhookSecrets: ['whsec_1', 'sk_live_1'] }, /fault webhook secrets: 1 of 2/],
])('%j is found', (wrong, words) => {
  expect(bad(checkKeys({ ...settings, ...wrong })).join('\n')).toMatch(words)
})

const publicUrl = 'https://pay.example'
const endpoint = (receiver: keyof typeof eventTypes, changes: Partial<Endpoint> = {}): Endpoint => ({
  id: `we_${receiver}`,
  url: `${publicUrl}/providers/stripe/webhooks/${receiver}`,
  status: 'enabled',
  api_version: Stripe.API_VERSION,
  enabled_events: [...eventTypes[receiver]],
  ...changes,
})
const check = (...endpoints: Endpoint[]) => checkEndpoints(endpoints, settings, { publicUrl })

test('two endpoints with exactly their events and our API version are right, whatever others there are', () => {
  const other = { ...endpoint('payments'), id: 'we_other', url: 'https://other.example/hook', api_version: null }
  expect(levels(check(other, endpoint('payments'), endpoint('accounts')))).toEqual(['ok', 'ok'])
})

test.each<[string, Endpoint[], RegExp]>([
  [
    'a missing endpoint',
    [],
    /fault webhooks of payments: no endpoint has the address https:\/\/pay\.example\/providers/,
  ],
  [
    'an endpoint of another gateway',
    [endpoint('payments', { url: 'https://old.example' })],
    /no endpoint has the address/,
  ],
  ['a disabled endpoint', [endpoint('payments', { status: 'disabled' })], /we_payments is disabled/],
  [
    'a missing event',
    [endpoint('payments', { enabled_events: ['refund.failed'] })],
    /lacks checkout\.session\.completed/,
  ],
  [
    'a further event',
    [endpoint('payments', { enabled_events: [...eventTypes.payments, 'payout.paid'] })],
    /payout\.paid/,
  ],
  [
    'all events',
    [endpoint('payments', { enabled_events: ['*'] })],
    /warning webhooks of payments: we_payments also gets \*/,
  ],
  [
    'another API version',
    [endpoint('payments', { api_version: '2025-01-27.acacia' })],
    /fault .*sends 2025-01-27\.acacia/,
  ],
  ["the account's API version", [endpoint('payments', { api_version: null })], /fault .*default version/],
  ['two endpoints of one address', [endpoint('payments'), endpoint('payments', { id: 'we_2' })], /2 endpoints/],
])('%s is found', (_, endpoints, words) => {
  expect(bad(check(...endpoints, endpoint('accounts'))).join('\n')).toMatch(words)
})

test('a platform that is not activated is a warning, as is each capability that is not active', () => {
  const account = { id: 'acct_1', country: 'GB', charges_enabled: true, details_submitted: true }
  expect(levels(checkPlatform(account))).toEqual(['ok', 'ok'])
  expect(bad(checkPlatform({ ...account, charges_enabled: false })).join()).toMatch(
    /warning platform: is not activated/,
  )
  const capabilities = { card_payments: 'active', transfers: 'pending' } as const
  expect(bad(checkPlatform({ ...account, capabilities })).join()).toMatch(/capability transfers is pending/)
})
