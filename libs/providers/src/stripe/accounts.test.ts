import { expect, test } from 'vitest'
import { accountParams, accountStatus, type AccountFacts } from './accounts.ts'

const charging = { charges_enabled: true, payouts_enabled: true, details_submitted: true }
const silent = { charges_enabled: false, payouts_enabled: false, details_submitted: true }
type Requirements = NonNullable<AccountFacts['requirements']>
const requirements = (changes: Partial<Requirements>): Requirements => ({
  disabled_reason: null,
  currently_due: [],
  past_due: [],
  ...changes,
})

test.each<[string, AccountFacts, string]>([
  [
    'rejected, whatever else holds',
    { ...charging, requirements: requirements({ disabled_reason: 'rejected.fraud' }) },
    'Rejected',
  ],
  ['listed', { ...silent, requirements: requirements({ disabled_reason: 'listed' }) }, 'Rejected'],
  [
    'paused by the platform',
    { ...charging, requirements: requirements({ disabled_reason: 'platform_paused' }) },
    'Disabled',
  ],
  ['disabled for another reason', { ...silent, requirements: requirements({ disabled_reason: 'other' }) }, 'Disabled'],
  ['charges and payouts', { ...charging, requirements: requirements({}) }, 'Active'],
  ['charges and payouts, without requirements', charging, 'Active'],
  ['something past due', { ...charging, requirements: requirements({ past_due: ['external_account'] }) }, 'Restricted'],
  ['charges without payouts', { ...charging, payouts_enabled: false }, 'Restricted'],
  [
    'nothing submitted',
    { ...silent, details_submitted: false, requirements: requirements({ disabled_reason: 'requirements.past_due' }) },
    'None',
  ],
  [
    'submitted, verification running',
    { ...silent, requirements: requirements({ disabled_reason: 'requirements.pending_verification' }) },
    'Pending',
  ],
  ['under review', { ...silent, requirements: requirements({ disabled_reason: 'under_review' }) }, 'Pending'],
  [
    'under review, but something is due',
    { ...silent, requirements: requirements({ disabled_reason: 'under_review', currently_due: ['tos_acceptance'] }) },
    'ActionRequired',
  ],
  [
    'something past due and no charges',
    { ...silent, requirements: requirements({ disabled_reason: 'requirements.past_due' }) },
    'ActionRequired',
  ],
  ['no reason given', { ...silent, requirements: requirements({}) }, 'ActionRequired'],
])('an account: %s', (_, facts, status) => {
  expect(accountStatus(facts)).toBe(status)
})

const practice = { accountId: 'a-1', siteSlug: 's12345678901', siteName: 'Smile Dental' }

test('the account request contains only the known facts of the site', () => {
  const params = accountParams({ ...practice, siteName: '歯科' })
  expect(params).toMatchObject({ business_profile: { name: '歯科' }, settings: {} })
  for (const unknown of ['country', 'email', 'default_currency', 'type']) expect(params).not.toHaveProperty(unknown)
})

test('an account is made in the country of its site, which decides its currency', () => {
  const british = { ...practice, country: 'GB', currency: 'EUR', emailAddress: 'desk@smile.example' }
  expect(accountParams(british)).toMatchObject({ country: 'GB', email: 'desk@smile.example' })
  expect(accountParams(british)).not.toHaveProperty('default_currency')
})

test('a currency without a country is sent: the provider refuses one that it cannot pay out in the country it assumes', () => {
  expect(accountParams({ ...practice, currency: 'GBP' })).toMatchObject({ default_currency: 'gbp' })
})

test.each([
  ['+442079460000', '+442079460000'],
  ['+12', undefined],
])('the phone number %j is sent as %s', (phoneNumber, sent) => {
  expect(accountParams({ ...practice, phoneNumber }).business_profile?.support_phone).toBe(sent)
})

test.each(['charges_enabled', 'payouts_enabled', 'details_submitted'])(
  'an account without %s is not understood',
  (name) => {
    expect(() => accountStatus({ ...silent, details_submitted: false, [name]: undefined })).toThrow(name)
  },
)

test.each([
  ['reception@exämple.de', { email: 'reception@xn--exmple-cua.de' }],
  ['a.b@practice.example', { email: 'a.b@practice.example' }],
  ['jörg@exämple.de', {}],
  [undefined, {}],
])('the e-mail address %s is sent in ASCII, or not at all', (emailAddress, sent) => {
  const { email } = accountParams({
    siteName: 'Harbour Street',
    siteSlug: 's1',
    accountId: 'a1',
    emailAddress,
  })
  expect(email === undefined ? {} : { email }).toEqual(sent)
})
