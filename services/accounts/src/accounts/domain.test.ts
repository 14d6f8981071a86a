import { AccountStatus } from '@frontdesk/contracts'
import type { ProviderAccount } from '@frontdesk/providers'
import { array, assert, constant, constantFrom, oneof, property, record, type Arbitrary } from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  accountState,
  applyProviderAccount,
  deauthorise,
  deleteAccount,
  endProviderDeletion,
  isOpenForTooLong,
  makeRoom,
  siteDeleted,
  type Account,
  type Decision,
} from './domain.ts'

const now = new Date('2026-11-21T09:00:00Z')
const day = 24 * 60 * 60 * 1000
const fresh: Account = {
  accountId: '0199b6a0-0000-7000-8000-00000000000a',
  siteSlug: 's12345678901',
  provider: 'Sandbox',
  status: 'None',
  version: 0,
  createdAt: now,
}
const at = (status: ProviderAccount['status'], more: Partial<ProviderAccount> = {}): ProviderAccount => ({
  externalAccountId: 'acct_1',
  status,
  statementDescriptorPrefix: 'SMILE',
  ...more,
})
const confirmed = applyProviderAccount(fresh, at('None')).next
const typesOf = ({ events }: Decision) => events.map(({ type }) => type)

describe('an account', () => {
  test('is announced when the provider has confirmed it, with its whole state', () => {
    const { next, events } = applyProviderAccount(fresh, at('None'))
    expect(next).toMatchObject({ externalAccountId: 'acct_1', version: 1 })
    expect(events).toEqual([
      {
        type: 'account.created',
        data: {
          version: 1,
          accountId: fresh.accountId,
          siteSlug: fresh.siteSlug,
          paymentProvider: 'Sandbox',
          status: 'None',
          externalAccountId: 'acct_1',
          statementDescriptorPrefix: 'SMILE',
          createdAt: '2026-11-21T09:00:00.000Z',
        },
      },
    ])
  })

  test('announces a change of status or prefix once', () => {
    const active = applyProviderAccount(confirmed, at('Active'))
    expect(active.events).toEqual([
      {
        type: 'account.status_changed',
        data: {
          accountId: fresh.accountId,
          paymentProvider: 'Sandbox',
          status: 'Active',
          previousStatus: 'None',
          externalAccountId: 'acct_1',
        },
      },
      { type: 'account.updated', data: accountState(active.next) },
    ])
    expect(active.next).toMatchObject({ version: 3, status: 'Active' })
    expect(applyProviderAccount(active.next, at('Active')).next).toBe(active.next)
    expect(typesOf(applyProviderAccount(active.next, at('Active', { statementDescriptorPrefix: 'GRIN' })))).toEqual([
      'account.updated',
    ])
  })

  test('that the provider confirms with another status than None tells that the status has changed', () => {
    const { next, events } = applyProviderAccount(fresh, at('ActionRequired'))
    expect(events).toMatchObject([
      { type: 'account.status_changed', data: { status: 'ActionRequired', previousStatus: 'None' } },
      { type: 'account.created', data: { version: 2, status: 'ActionRequired' } },
    ])
    expect(next.version).toBe(2)
  })

  test('keeps the reason of a restriction without an event', () => {
    const { next, events } = applyProviderAccount(confirmed, at('None', { disabledReason: 'requirements.past_due' }))
    expect(next.disabledReason).toBe('requirements.past_due')
    expect(events).toEqual([])
  })

  test("is Disabled when it revokes our access, and takes the provider's status when it grants access again", () => {
    const active = applyProviderAccount(confirmed, at('Active')).next
    const cut = deauthorise(active)
    expect(cut.next).toMatchObject({ status: 'Disabled', disabledReason: 'deauthorised' })
    expect(typesOf(cut)).toEqual(['account.status_changed', 'account.updated'])
    expect(deauthorise(cut.next).next).toBe(cut.next)
    expect(applyProviderAccount(cut.next, at('Active')).next.status).toBe('Active')
  })

  test('that is Rejected stays so when it revokes our access, until the provider changes it', () => {
    const rejected = applyProviderAccount(confirmed, at('Rejected')).next
    expect(deauthorise(rejected).next).toBe(rejected)
    expect(applyProviderAccount(rejected, at('Pending')).next.status).toBe('Pending')
  })
})

describe('closing', () => {
  test('at the request of a client leaves nothing to delete at the provider', () => {
    const { next, events } = deleteAccount(confirmed, now)
    expect(next).toMatchObject({ deletedAt: now, providerDeletionNote: 'deleted', version: 2 })
    expect(next.providerDeletionDueAt).toBeUndefined()
    expect(events).toMatchObject([
      { type: 'account.deleted', data: { version: 2, deletedAt: '2026-11-21T09:00:00.000Z' } },
    ])
  })

  test('with its site takes effect at once, and at the provider a day later', () => {
    const { next, events } = siteDeleted(confirmed, now)
    expect(next).toMatchObject({ deletedAt: now, providerDeletionDueAt: new Date('2026-11-22T09:00:00Z') })
    expect(events).toHaveLength(1)
  })

  test('happens once', () => {
    const { next } = siteDeleted(confirmed, now)
    const later = new Date('2026-11-21T10:00:00Z')
    expect(siteDeleted(next, later).next).toBe(next)
    expect(deleteAccount(next, later).next).toBe(next)
  })

  test('makes no event for an unconfirmed account, which still takes its identifier for the deletion at the provider', () => {
    const closed = siteDeleted(fresh, now)
    expect(closed.events).toEqual([])
    const { next, events } = applyProviderAccount(closed.next, at('Active'))
    expect(next).toMatchObject({
      externalAccountId: 'acct_1',
      status: 'None',
      deletedAt: now,
      providerDeletionDueAt: expect.any(Date),
    })
    expect(events).toEqual([])
  })

  test('notes the outcome at the provider', () => {
    const { next } = siteDeleted(confirmed, now)
    expect(endProviderDeletion(next, 'refused: balance_not_zero').next).toMatchObject({
      providerDeletionNote: 'refused: balance_not_zero',
      providerDeletionDueAt: undefined,
    })
  })

  test('waits for open payments at the provider, for 180 days', () => {
    const { next } = siteDeleted(confirmed, now)
    expect(isOpenForTooLong(next, new Date(now.getTime() + 179 * day))).toBe(false)
    expect(isOpenForTooLong(next, new Date(now.getTime() + 181 * day))).toBe(true)
  })
})

describe('an account that has revoked our access', () => {
  const cutOff = deauthorise(confirmed).next

  test('is closed to make room for another one, with nothing to delete at the provider', () => {
    const { next, events } = makeRoom(cutOff, now)
    expect(next).toMatchObject({ deletedAt: now, providerDeletionNote: 'access revoked' })
    expect(next.providerDeletionDueAt).toBeUndefined()
    expect(events.map(({ type }) => type)).toEqual(['account.deleted'])
    expect(makeRoom(next, now)).toEqual({ next, events: [] })
  })

  test('is not closed if it has granted access again, nor if the provider disabled it for another reason', () => {
    const again = applyProviderAccount(cutOff, at('Active')).next
    expect(makeRoom(again, now)).toEqual({ next: again, events: [] })
    const paused = applyProviderAccount(confirmed, at('Disabled', { disabledReason: 'other' })).next
    expect(makeRoom(paused, now).events).toEqual([])
  })
})

type Change = (account: Account) => Decision

const changes: Arbitrary<Change> = oneof(
  {
    weight: 8,
    arbitrary: record({
      status: constantFrom(...AccountStatus.enum),
      statementDescriptorPrefix: constantFrom('SMILE', 'GRIN'),
      disabledReason: constantFrom(undefined, 'other'),
    }).map(
      (facts): Change =>
        (account) =>
          applyProviderAccount(account, { externalAccountId: 'acct_1', ...facts }),
    ),
  },
  { weight: 2, arbitrary: constant<Change>(deauthorise) },
  { weight: 1, arbitrary: constant<Change>((account) => siteDeleted(account, now)) },
  { weight: 1, arbitrary: constant<Change>((account) => deleteAccount(account, now)) },
  { weight: 1, arbitrary: constant<Change>((account) => makeRoom(account, now)) },
)

test('any changes number their events without gaps; the Internal ones begin with created, end with deleted, and the last is the state', () => {
  assert(
    property(array(changes, { maxLength: 30 }), (run) => {
      let account = fresh
      let status = fresh.status
      const events = run.flatMap((change) => {
        const decision = change(account)
        const { version } = account
        account = decision.next
        expect(account.version).toBe(version + decision.events.length)
        return decision.events.map((event, index) => ({ ...event, version: version + index + 1 }))
      })
      const states = events.flatMap((event) => (event.type === 'account.status_changed' ? [] : [event]))
      for (const { version, data } of states) expect(data.version).toBe(version)
      expect(states.filter(({ type }) => type === 'account.created')).toHaveLength(states.length > 0 ? 1 : 0)
      if (states.length > 0) expect(states[0]?.type).toBe('account.created')
      const deleted = events.findIndex(({ type }) => type === 'account.deleted')
      if (deleted !== -1) expect(deleted).toBe(events.length - 1)
      const last = states.at(-1)
      if (last && !account.deletedAt) expect(last.data).toEqual(accountState(account))
      // The Public events alone lead from one status to the next, up to the present one.
      for (const event of events) {
        if (event.type !== 'account.status_changed') continue
        expect(event.data.previousStatus).toBe(status)
        status = event.data.status
        expect(status).not.toBe(event.data.previousStatus)
      }
      if (!account.deletedAt) expect(status).toBe(account.status)
    }),
    { numRuns: 1_000 },
  )
})
