import { eventually } from '@frontdesk/testing'
import { expect, test } from 'vitest'
import { openAccountsFixture, someSite } from './accounts-fixture.ts'

test.for([
  { clock: '90 s ahead of', clockOffsetMs: 90_000 },
  { clock: '400 s behind', clockOffsetMs: -400_000 },
])(
  "a service whose clock is $clock Postgres's serves requests, takes webhooks, and says how wrong it is",
  { timeout: 90_000 },
  async ({ clock, clockOffsetMs }) => {
    await using fixture = await openAccountsFixture({ clockOffsetMs })
    const site = someSite()
    const made = await fixture.call('createAccount', site, { body: { paymentProvider: 'Sandbox' } })
    expect(made.status).toBe(201)
    const { accountId, externalAccountId } = made.body.account
    await fixture.control(`accounts/${externalAccountId}/complete`)
    await eventually(async () => {
      const { rows } = await fixture.pool.query(
        `select status, note from accounts a join provider_events e on e.account = a.external_account_id where a.id = $1`,
        [accountId],
      )
      expect(rows).toContainEqual({ status: 'Active', note: 'applied' })
    })

    // The record was brought up to date a moment ago, so a read does not ask the provider.
    const asked = () =>
      fixture.network.requests.filter(({ method, path }) => method === 'GET' && path.endsWith(externalAccountId ?? '?'))
    const before = asked().length
    expect((await fixture.call('getAccount', site, { params: { AccountId: accountId } })).status).toBe(200)
    expect(asked()).toHaveLength(before)

    const url = fixture.url('accounts')
    const ready = (await (await fetch(`${url}/readyz`)).json()) as { clock: string }
    const [said = '', side] = ready.clock.split(' s ')
    expect(side).toBe(`${clock.split(' s ')[1]} Postgres's`)
    expect(Math.abs(Number(said) - Math.abs(clockOffsetMs) / 1000)).toBeLessThan(1)
    const skew = /^clock_skew_seconds (\S+)$/m.exec(await (await fetch(`${url}/metrics`)).text())
    expect(Math.abs(Number(skew?.[1]) - clockOffsetMs / 1000)).toBeLessThan(1)
  },
)
