import { eventually } from '@frontdesk/testing'
import { expect, test } from 'vitest'
import { openAccountsFixture, someSite } from './accounts-fixture.ts'

test('Accounts that become due while the provider has us wait are checked as soon as it lets us', async () => {
  await using fixture = await openAccountsFixture()
  const made = await Promise.all(
    [1, 2, 3].map(() => fixture.call('createAccount', someSite(), { body: { paymentProvider: 'Sandbox' } })),
  )
  const [first = '', ...others] = made.map(({ body }) => body.account.accountId)
  const makeDue = (ids: string[]) =>
    fixture.pool.query(
      `update accounts set next_check_at = now(), checked_at = now() - interval '1 hour' where id = any($1)`,
      [ids],
    )
  let limited = false
  fixture.network.inject(({ method, path }) => {
    if (limited || method !== 'GET' || !path.startsWith('/v1/accounts')) return 'none'
    limited = true
    const error = { type: 'invalid_request_error', code: 'rate_limit', message: 'too many requests' }
    return { reply: { status: 429, headers: { 'retry-after': '10' }, body: { error } } }
  })
  await makeDue([first])
  await eventually(() => expect(limited).toBe(true))
  await makeDue(others)
  // A sweep that takes them meanwhile would put them off by two minutes.
  const unchecked = `select count(*)::int as count from accounts where id = any($1) and checked_at < now() - interval '50 minutes'`
  await eventually(async () => expect((await fixture.pool.query(unchecked, [others])).rows).toEqual([{ count: 0 }]), {
    within: 40_000,
    every: 250,
  })
}, 90_000)
