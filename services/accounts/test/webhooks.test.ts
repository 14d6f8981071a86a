import { eventually } from '@frontdesk/testing'
import { craftWebhook, eventIdOf } from '@frontdesk/testing/crafted-webhook'
import type { SandboxWebhook } from '@frontdesk/testing/provider-fixture'
import type { SiteAccess } from '@frontdesk/contracts'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { openAccountsFixture, someSite, type AccountsFixture } from './accounts-fixture.ts'

let fixture: AccountsFixture
beforeAll(async () => {
  fixture = await openAccountsFixture()
})
afterEach(() => fixture.onWebhook(passAll))
afterAll(() => fixture[Symbol.asyncDispose]())

interface Made {
  site: SiteAccess
  accountId: string
  externalAccountId: string
}

async function makeAccount(): Promise<Made> {
  const site = someSite()
  const { body } = await fixture.call('createAccount', site, { body: { paymentProvider: 'Sandbox' } })
  const { accountId, externalAccountId = '' } = body.account
  return { site, accountId, externalAccountId }
}

async function passAll(webhook: SandboxWebhook): Promise<number> {
  await fixture.pass(webhook)
  return 200
}

/** Performs actions on an account at the sandbox, and returns their webhooks instead of passing them on. */
async function heldBack({ externalAccountId }: Made, actions: string[]): Promise<SandboxWebhook[]> {
  const held: SandboxWebhook[] = []
  fixture.onWebhook(async (webhook) => {
    if (webhook.body.includes(externalAccountId)) held.push(webhook)
    return 200
  })
  for (const action of actions) await fixture.control(`accounts/${externalAccountId}/${action}`)
  await eventually(() => expect(held).toHaveLength(actions.length))
  return held
}

/** Makes a webhook with the signature of the sandbox. */
const crafted = (type: string, object: object, more: object = {}, at = Date.now()): SandboxWebhook =>
  craftWebhook(fixture.credentials.sandboxWebhookSecret, { for: 'accounts', type, object, more, at })

/** Returns the status in the record; unlike a read over the API it never asks the provider. */
async function statusOf({ accountId }: Made): Promise<string | undefined> {
  const result = await fixture.pool.query<{ status: string }>('select status from accounts where id = $1', [accountId])
  return result.rows[0]?.status
}

/** Returns the note on an event, once it was handled. */
async function noteOf(webhook: SandboxWebhook): Promise<string> {
  const find = 'select note from provider_events where event_id = $1 and note is not null'
  return eventually(
    async () => {
      const result = await fixture.pool.query<{ note: string }>(find, [eventIdOf(webhook)])
      if (result.rows[0] === undefined) throw new Error('the event was not handled')
      return result.rows[0].note
    },
    { within: 20_000 },
  )
}

async function timesQueued(webhook: SandboxWebhook): Promise<number> {
  const queued = await fixture.pool.query('select 1 from outbox where aggregate_id = $1', [
    `Sandbox:${eventIdOf(webhook)}`,
  ])
  return queued.rowCount ?? 0
}

test("repeated webhooks in any order lead to the provider's state, with one event", async () => {
  const made = await makeAccount()
  const webhooks = await heldBack(made, ['complete', 'restrict', 'complete', 'reject'])
  for (const webhook of [...webhooks.toReversed(), ...webhooks, ...webhooks.toReversed()]) await fixture.pass(webhook)
  for (const webhook of webhooks) {
    expect(await noteOf(webhook)).toBe('applied')
    expect(await timesQueued(webhook)).toBe(1)
  }
  expect(await statusOf(made)).toBe('Rejected')
  expect(await fixture.eventsOf(made.accountId)).toEqual([
    'account.created',
    'account.status_changed',
    'account.updated',
  ])
})

test('a late webhook changes nothing', async () => {
  const made = await makeAccount()
  const late = await heldBack(made, ['complete'])
  fixture.onWebhook(passAll)
  await fixture.control(`accounts/${made.externalAccountId}/deauthorize`)
  await eventually(async () => expect(await statusOf(made)).toBe('Disabled'))
  const before = await fixture.eventsOf(made.accountId)
  for (const webhook of late) {
    await fixture.pass(webhook)
    expect(await noteOf(webhook)).toBe('applied')
  }
  expect(await statusOf(made)).toBe('Disabled')
  expect(await fixture.eventsOf(made.accountId)).toEqual(before)
})

test('a scheduled check makes up for a lost webhook', async () => {
  const made = await makeAccount()
  await heldBack(made, ['complete'])
  await fixture.pool.query('update accounts set next_check_at = now() where id = $1', [made.accountId])
  await eventually(async () => expect(await statusOf(made)).toBe('Active'))
  expect(await fixture.eventsOf(made.accountId)).toEqual([
    'account.created',
    'account.status_changed',
    'account.updated',
  ])
})

test('a forged webhook is refused: another secret, a changed body, a time in the past or in the future', async () => {
  const made = await makeAccount()
  const object = { id: made.externalAccountId, object: 'account' }
  const account = { account: made.externalAccountId }
  const good = crafted('account.updated', object, account)
  const minutes = (count: number) => Date.now() + count * 60_000
  const forged: SandboxWebhook[] = [
    craftWebhook('whsec_another', { for: 'accounts', type: 'account.updated', object, more: account }),
    { ...good, body: Buffer.from(good.body.toString('utf8').replace('"type"', ' "type"')) },
    { ...good, signature: 't=1,v1=00' },
    crafted('account.updated', object, account, minutes(-6)),
    crafted('account.updated', object, account, minutes(6)),
  ]
  for (const webhook of forged) {
    await expect(fixture.pass(webhook)).rejects.toMatchObject({ code: 'provider_signature_invalid' })
  }
  await fixture.pass(good)
  expect(await noteOf(good)).toBe('applied')
})

test('webhooks of unknown accounts, of unknown types and of the other mode are noted and not retried', async () => {
  const made = await makeAccount()
  const object = { id: made.externalAccountId, object: 'account' }
  const account = { account: made.externalAccountId }
  const unknown = crafted('account.updated', { id: 'acct_nobody', object: 'account' }, { account: 'acct_nobody' })
  const strange = crafted('account.sneezed', object, account)
  const live = crafted('account.updated', object, { ...account, livemode: true })
  for (const webhook of [unknown, strange, live]) await fixture.pass(webhook)
  expect(await noteOf(unknown)).toBe('of an unknown account')
  expect(await noteOf(strange)).toBe('applied')
  expect(await noteOf(live)).toBe('of the other mode')
  expect(await timesQueued(live)).toBe(0)
  expect(await statusOf(made)).toBe('None')
  expect(await fixture.eventsOf(made.accountId)).toEqual(['account.created'])
})

test('a webhook that arrives while the provider is unavailable makes the account due, and the check applies the change', async () => {
  const made = await makeAccount()
  const webhooks = await heldBack(made, ['complete'])
  await fixture.network.close()
  for (const webhook of webhooks) await fixture.pass(webhook)
  for (const webhook of webhooks) expect(await noteOf(webhook)).toContain('the account is due for a check')
  expect(await statusOf(made)).toBe('None')
  await fixture.network.open()
  const due = await fixture.pool.query(
    "select next_check_at <= now() + interval '16 seconds' as soon from accounts where id = $1",
    [made.accountId],
  )
  expect(due.rows).toEqual([{ soon: true }])
  const makeDue = 'update accounts set next_check_at = now() where id = $1'
  await eventually(
    async () => {
      await fixture.pool.query(makeDue, [made.accountId])
      expect(await statusOf(made)).toBe('Active')
    },
    { within: 20_000, every: 1_000 },
  )
})
