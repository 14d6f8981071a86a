import type { AccountStatus, PaymentProvider, SiteAccess } from '@frontdesk/contracts'
import { camelRows, firstRow, transaction, type Pool, type Queryable } from '@frontdesk/database'
import { appendToOutbox, type EventOrigin } from '@frontdesk/events'
import type { AccountOrder } from '@frontdesk/providers'
import { v7 as uuidv7 } from 'uuid'
import type { Account as Row, Database } from '../db.ts'
import { nextCheck } from './checks.ts'
import { siteDeleted, type Account, type Decision } from './domain.ts'

export type { Row as AccountRow }
type Prisma = Database['prisma']

/** The state that the rules decide on. */
export function fromRow(row: Row): Account {
  return {
    accountId: row.id,
    siteSlug: row.siteSlug,
    provider: row.provider as PaymentProvider,
    status: row.status as AccountStatus,
    version: row.version,
    createdAt: row.createdAt,
    externalAccountId: row.externalAccountId ?? undefined,
    statementDescriptorPrefix: row.statementDescriptorPrefix ?? undefined,
    disabledReason: row.disabledReason ?? undefined,
    deletedAt: row.deletedAt ?? undefined,
    providerDeletionDueAt: row.providerDeletionDueAt ?? undefined,
    providerDeletionNote: row.providerDeletionNote ?? undefined,
  }
}

/** What the provider was, or is to be, asked for; the same for ever, since it stands behind one idempotency key. */
export const orderOf = (row: Row): AccountOrder => row.providerOrder as unknown as AccountOrder

export interface NewAccount {
  accountId: string
  site: SiteAccess
  provider: PaymentProvider
  order: AccountOrder
  traceparent: string
}

/**
 * Makes the account of a site at a provider, as `None` and not confirmed by the provider, or finds the live one: two
 * requests that race get the same row. Undefined where the site was deleted.
 */
export async function openAccount(
  db: Queryable,
  { accountId, site, provider, order, traceparent }: NewAccount,
): Promise<Row | undefined> {
  let id = accountId
  for (;;) {
    const result = await db.query({
      name: 'account-open',
      text: openSql,
      values: [
        id,
        site.slug,
        provider,
        { ...order, accountId: id },
        site.owningOrganisation,
        site.billingOrganisation,
        site.system,
        site.pmsSpecificId,
        traceparent,
      ],
    })
    const row = firstRow<Row & { siteDeleted: boolean }>(result)
    if (row?.siteDeleted === true) return undefined
    if (row?.id) return row
    // A rival's row was not visible to this statement yet; or an account of this id was made, and closed since.
    id = uuidv7()
  }
}

// The first check is 60 s away: by then no request is still at work on the row (a provider call has 8 s).
const openSql = `
  with gone as (select exists (select from deleted_sites where slug = $2) as site_deleted),
  made as (
    insert into accounts (id, site_slug, provider, status, provider_order, organisation_slug, billing_organisation_slug,
                          product, pms_specific_id, traceparent, next_check_at)
    select $1, $2, $3, 'None', $4, $5, $6, $7, $8, $9, now() + interval '60 seconds' from gone where not site_deleted
    on conflict do nothing
    returning *),
  found as (
    select * from made
    union all
    select * from accounts where site_slug = $2 and provider = $3 and deleted_at is null and not exists (select from made))
  select gone.site_deleted, found.* from gone left join found on not gone.site_deleted`

/** A live account that the provider has confirmed; others do not exist for clients. */
const visible = { deletedAt: null, externalAccountId: { not: null } } as const

export async function findAccount(prisma: Prisma, siteSlug: string, accountId: string): Promise<Row | null> {
  return prisma.account.findFirst({ where: { id: accountId, siteSlug, ...visible } })
}

/** The account of a site at a provider. */
export async function findAccountOfSite(
  prisma: Prisma,
  siteSlug: string,
  provider: PaymentProvider,
): Promise<Row | null> {
  return prisma.account.findFirst({ where: { siteSlug, provider, ...visible } })
}

export async function findAccountById(prisma: Prisma, accountId: string): Promise<Row | null> {
  return prisma.account.findFirst({ where: { id: accountId, ...visible } })
}

/** By the provider's identifier; a closed one too, since the provider may still tell of it. */
export async function findExternalAccount(
  prisma: Prisma,
  provider: PaymentProvider,
  externalAccountId: string,
): Promise<Row | null> {
  return prisma.account.findFirst({ where: { provider, externalAccountId }, orderBy: { createdAt: 'desc' } })
}

/** The accounts of a site, oldest first. */
export async function listAccounts(prisma: Prisma, siteSlug: string): Promise<Row[]> {
  return prisma.account.findMany({ where: { siteSlug, ...visible }, orderBy: [{ createdAt: 'asc' }, { id: 'asc' }] })
}

/** Takes back an account that the provider refused to make or never confirmed: nobody was told of it. */
export async function discardAccount(db: Queryable, accountId: string): Promise<void> {
  await db.query('delete from accounts where id = $1 and external_account_id is null', [accountId])
}

export interface ChangeOptions {
  /**
   * When the provider's answer that is decided on had been asked for, by Postgres's clock. An answer older than the one
   * last applied is dropped: any status may follow any other, so only this tells which is the newer.
   */
  askedAt?: Date | undefined
  /** Records a consumed event in the same transaction; false ends it without a change. */
  receive?: ((tx: Queryable) => Promise<boolean>) | undefined
  /** The request or event that causes the change. */
  traceparent?: string | undefined
}

/** Changes an account: locks its row, decides, saves with the events. Returns it as it is then; undefined where there is none. */
export async function changeAccount(
  pool: Pool,
  origin: EventOrigin,
  accountId: string,
  decide: (account: Account, now: Date) => Decision,
  { askedAt, receive = async () => true, traceparent }: ChangeOptions = {},
): Promise<Row | undefined> {
  return transaction(pool, async (tx) => {
    if (!(await receive(tx))) return undefined
    const row = firstRow<Row>(await tx.query('select * from accounts where id = $1 for update', [accountId]))
    if (row === undefined) return undefined
    if (askedAt !== undefined && row.checkedAt !== null && row.checkedAt > askedAt) return row
    const now = new Date()
    return saveAccount(tx, origin, row, decide(fromRow(row), now), { now, askedAt, traceparent })
  })
}

async function saveAccount(
  tx: Queryable,
  origin: EventOrigin,
  row: Row,
  { next, events }: Decision,
  { now, askedAt, traceparent }: { now: Date; askedAt?: Date | undefined; traceparent?: string | undefined },
): Promise<Row> {
  const changedAt = next.status === row.status && row.externalAccountId !== null ? row.changedAt : now
  const saved = await tx.query({
    name: 'account-save',
    text: `update accounts set status = $2, version = $3, external_account_id = $4, statement_descriptor_prefix = $5,
             disabled_reason = $6, deleted_at = $7, provider_deletion_due_at = $8, provider_deletion_note = $9,
             changed_at = $10, checked_at = coalesce($11, checked_at), next_check_at = $12
           where id = $1 returning *`,
    values: [
      next.accountId,
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
    ],
  })
  await appendToOutbox(
    tx,
    origin,
    events.map((event) => ({
      ...event,
      aggregate: { type: 'account', id: next.accountId, version: event.data.version },
      time: now,
      site: {
        siteSlug: row.siteSlug,
        organisationSlug: row.organisationSlug,
        billingOrganisationSlug: row.billingOrganisationSlug,
        product: row.product,
        pmsSpecificId: row.pmsSpecificId,
      },
      traceparent: traceparent ?? row.traceparent ?? undefined,
    })),
  )
  return firstRow<Row>(saved) ?? row
}

/** Closes every account of a deleted site and remembers that it is gone, so that none is made any more. */
export async function closeAccountsOfSite(
  tx: Queryable,
  origin: EventOrigin,
  siteSlug: string,
  traceparent: string | undefined,
): Promise<void> {
  await tx.query('insert into deleted_sites (slug) values ($1) on conflict do nothing', [siteSlug])
  const rows = camelRows<Row>(
    await tx.query('select * from accounts where site_slug = $1 and deleted_at is null order by id for update', [
      siteSlug,
    ]),
  )
  const now = new Date()
  for (const row of rows) await saveAccount(tx, origin, row, siteDeleted(fromRow(row), now), { now, traceparent })
}

/** Takes accounts whose next check is due for two minutes: copies of this service do not ask twice. */
export async function claimDueChecks(db: Queryable, limit: number): Promise<Row[]> {
  return camelRows<Row>(
    await db.query(
      `update accounts set next_check_at = now() + interval '2 minutes'
        where id in (select id from accounts where next_check_at <= now()
                      order by next_check_at limit $1 for update skip locked)
        returning *`,
      [limit],
    ),
  )
}

/** Takes closed accounts that the provider is to be asked to delete; where that fails they come again, ever later. */
export async function claimDueDeletions(db: Queryable, limit: number): Promise<Row[]> {
  return camelRows<Row>(
    await db.query(
      `update accounts set
          provider_deletion_due_at = now() + least(interval '5 minutes' * power(2, provider_deletion_tries), interval '1 day'),
          provider_deletion_tries = provider_deletion_tries + 1
        where id in (select id from accounts where provider_deletion_due_at <= now()
                      order by provider_deletion_due_at limit $1 for update skip locked)
        returning *`,
      [limit],
    ),
  )
}

/** Makes an account due for a check: the provider is away, and the reason to ask it must not be forgotten. */
export async function makeDue(db: Queryable, accountId: string): Promise<void> {
  await db.query(`update accounts set next_check_at = now() + interval '15 seconds' where id = $1`, [accountId])
}
