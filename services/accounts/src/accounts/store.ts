import type { PaymentProvider, SiteAccess } from '@frontdesk/contracts'
import { camelRows, firstRow, type Queryable } from '@frontdesk/database'
import { composeEvent, outboxInsert, outboxParameters, type EventOrigin } from '@frontdesk/events'
import type { Provider } from '@frontdesk/providers'
import { auditInsert, auditParameter, type Act } from '@frontdesk/service/audit'
import { v7 as uuidv7 } from 'uuid'
import type { AccountRow, Database } from '../db.ts'
import { nextCheck } from './checks.ts'
import { siteDeleted, type Account, type Decision } from './domain.ts'
import { fromRow, newOrder } from './wire.ts'

type Prisma = Database['prisma']

export interface NewAccount {
  accountId: string
  site: SiteAccess
  provider: Pick<Provider, 'name' | 'accountRequest'>
  traceparent: string
  act: Act
}

/**
 * Creates the account of a site at a provider, with status `None` and not confirmed by the provider, or finds the live
 * one: two requests that race get the same row. Returns undefined if the site was deleted.
 */
export async function openAccount(
  db: Queryable,
  { accountId, site, provider, traceparent, act }: NewAccount,
): Promise<AccountRow | undefined> {
  let id = accountId
  for (;;) {
    const order = newOrder(id, site)
    act.about(`account:${id}`)
    const result = await db.query({
      name: 'account-open',
      text: openSql,
      values: [
        id,
        site.slug,
        provider.name,
        order,
        provider.accountRequest(order),
        site.owningOrganisation,
        site.billingOrganisation,
        site.practiceManagementSystem,
        site.pmsSpecificId,
        traceparent,
        auditParameter(act),
      ],
    })
    const row = firstRow<AccountRow & { siteDeleted: boolean; wasMade: boolean }>(result)
    if (row?.siteDeleted === true) return undefined
    if (row?.wasMade === true) act.recorded()
    if (row?.id) {
      act.about(`account:${row.id}`)
      return row
    }
    // The row of a concurrent request is not visible yet, or an account of this id was created and has been closed since.
    id = uuidv7()
  }
}

// The first check comes after 60 s, when no request works on the row any more: a provider call takes 8 s at most.
const openSql = `
  with gone as (select exists (select from deleted_sites where slug = $2) as site_deleted),
  made as (
    insert into accounts (id, site_slug, provider, status, provider_order, provider_request, organisation_slug,
                          billing_organisation_slug, product, pms_specific_id, traceparent, next_check_at)
    select $1, $2, $3, 'None', $4, $5, $6, $7, $8, $9, $10, now() + interval '60 seconds' from gone where not site_deleted
    on conflict do nothing
    returning *),
  audited as (${auditInsert(11, 'made')}),
  found as (
    select * from made
    union all
    select * from accounts where site_slug = $2 and provider = $3 and deleted_at is null and not exists (select from made))
  select gone.site_deleted, exists (select from made) as was_made, found.* from gone left join found on not gone.site_deleted`

/** Clients see live accounts that the provider has confirmed, and no others. */
const visible = { deletedAt: null, externalAccountId: { not: null } } as const

/** Finds the visible account that has these values; they identify one account. */
export async function findAccount(
  prisma: Prisma,
  by: Partial<Pick<AccountRow, 'id' | 'siteSlug' | 'provider'>>,
): Promise<AccountRow | null> {
  return prisma.account.findFirst({ where: { ...by, ...visible } })
}

/** Finds an account by the provider's identifier; a closed one too, since the provider still sends events about it. */
export async function findExternalAccount(
  prisma: Prisma,
  provider: PaymentProvider,
  externalAccountId: string,
): Promise<AccountRow | null> {
  return prisma.account.findFirst({ where: { provider, externalAccountId }, orderBy: { createdAt: 'desc' } })
}

/** Returns the visible accounts of a site, oldest first. */
export async function listAccounts(prisma: Prisma, siteSlug: string): Promise<AccountRow[]> {
  return prisma.account.findMany({ where: { siteSlug, ...visible }, orderBy: [{ createdAt: 'asc' }, { id: 'asc' }] })
}

/** Deletes an account that the provider refused to create or never confirmed: no event has announced it. */
export async function discardAccount(db: Queryable, accountId: string): Promise<void> {
  await db.query('delete from accounts where id = $1 and external_account_id is null', [accountId])
}

export interface ChangeOptions {
  /**
   * When the provider was asked for the answer to decide on, by Postgres's clock. An answer older than the last applied
   * one is dropped: any status may follow any other, so only these times tell which answer is newer.
   */
  askedAt?: Date | undefined
  /** The request or event that causes the change. */
  traceparent?: string | undefined
  /** The act of the request that causes the change: its entry is stored with the change. */
  act?: Act | undefined
}

/**
 * Changes an account: reads it, decides, and saves it with its events in one statement; if another change came first,
 * reads and decides again. Returns the account after the change, undefined if there is none.
 */
export async function changeAccount(
  db: Queryable,
  origin: EventOrigin,
  accountId: string,
  decide: (account: Account, now: Date) => Decision,
  { askedAt, traceparent, act }: ChangeOptions = {},
): Promise<AccountRow | undefined> {
  for (;;) {
    const basis = firstRow<AccountRow>(await db.query('select * from accounts where id = $1', [accountId]))
    if (basis === undefined) return undefined
    if (askedAt !== undefined && basis.checkedAt !== null && basis.checkedAt > askedAt) return basis
    const now = new Date()
    const decision = decide(fromRow(basis), now)
    const saved = await saveDecision(db, origin, basis, decision, now, { askedAt, traceparent, act })
    if (saved !== undefined) return saved
  }
}

/** Returns the saved row; undefined, and saves nothing, if the account has been saved since `basis` was read. */
async function saveDecision(
  db: Queryable,
  origin: EventOrigin,
  basis: AccountRow,
  { next, events }: Decision,
  now: Date,
  { askedAt, traceparent, act }: ChangeOptions,
): Promise<AccountRow | undefined> {
  const changedAt = next.status === basis.status && basis.externalAccountId !== null ? basis.changedAt : now
  const outgoing = events.map((event, index) =>
    composeEvent(origin, {
      ...event,
      aggregate: { type: 'account', id: basis.id, version: basis.version + index + 1 },
      time: now,
      site: {
        siteSlug: basis.siteSlug,
        organisationSlug: basis.organisationSlug,
        billingOrganisationSlug: basis.billingOrganisationSlug,
        product: basis.product,
        pmsSpecificId: basis.pmsSpecificId,
      },
      traceparent: traceparent ?? basis.traceparent ?? undefined,
    }),
  )
  const result = await db.query({
    name: 'account-save',
    text: saveSql,
    values: [
      basis.id,
      basis.revision,
      next.status,
      next.version,
      next.externalAccountId,
      next.statementDescriptorPrefix,
      next.disabledReason,
      next.deletedAt,
      next.providerDeletionDueAt,
      next.providerDeletionNote,
      changedAt,
      askedAt,
      nextCheck(next, changedAt, now),
      ...outboxParameters(outgoing),
      auditParameter(act),
    ],
  })
  if (result.rowCount === 1) act?.recorded()
  return firstRow<AccountRow>(result)
}

const saveSql = `
  with saved as (
    update accounts set
      revision = revision + 1, status = $3, version = $4, external_account_id = $5, statement_descriptor_prefix = $6,
      disabled_reason = $7, deleted_at = $8, provider_deletion_due_at = $9, provider_deletion_note = $10, changed_at = $11,
      checked_at = coalesce($12, checked_at), next_check_at = $13
    where id = $1 and revision = $2
    returning *),
  event as (${outboxInsert(14, 'saved')}),
  audited as (${auditInsert(22, 'saved')})
  select * from saved`

/** Closes every account of a deleted site, and records the deletion, so that no more accounts are created for it. */
export async function closeAccountsOfSite(
  tx: Queryable,
  origin: EventOrigin,
  siteSlug: string,
  traceparent: string | undefined,
): Promise<void> {
  await tx.query('insert into deleted_sites (slug) values ($1) on conflict do nothing', [siteSlug])
  const live = await tx.query<{ id: string }>(
    'select id from accounts where site_slug = $1 and deleted_at is null order by id for update',
    [siteSlug],
  )
  for (const { id } of live.rows) await changeAccount(tx, origin, id, siteDeleted, { traceparent })
}

/** How many rows to claim, and the providers whose rows are left for later. */
export interface Claim {
  limit: number
  without: readonly PaymentProvider[]
}

/** Leases accounts whose next check is due, for two minutes, so that no two replicas ask about the same one. */
export async function claimDueChecks(db: Queryable, { limit, without }: Claim): Promise<AccountRow[]> {
  return camelRows<AccountRow>(
    await db.query(
      `update accounts set next_check_at = now() + interval '2 minutes'
        where id in (select id from accounts where next_check_at <= now() and provider <> all($2::text[])
                      order by next_check_at limit $1 for update skip locked)
        returning *`,
      [limit, without],
    ),
  )
}

/** Leases closed accounts that are due for deletion at the provider. After a failure they are due again, ever later. */
export async function claimDueDeletions(db: Queryable, { limit, without }: Claim): Promise<AccountRow[]> {
  return camelRows<AccountRow>(
    await db.query(
      `update accounts set
          revision = revision + 1,
          provider_deletion_due_at = now() + least(interval '5 minutes' * power(2, provider_deletion_tries), interval '1 day'),
          provider_deletion_tries = provider_deletion_tries + 1
        where id in (select id from accounts where provider_deletion_due_at <= now() and provider <> all($2::text[])
                      order by provider_deletion_due_at limit $1 for update skip locked)
        returning *`,
      [limit, without],
    ),
  )
}

/** Makes an account due for a check soon, so that an event is not forgotten while the provider is unavailable. */
export async function makeDue(db: Queryable, accountId: string): Promise<void> {
  await db.query(`update accounts set next_check_at = now() + interval '15 seconds' where id = $1`, [accountId])
}
