import { camelRows, firstRow, isUniqueViolation, transaction, type Pool, type Queryable } from '@frontdesk/database'
import {
  appendToOutbox,
  composeEvent,
  outboxInsert,
  outboxParameters,
  type EventOrigin,
  type OutboxEvent,
} from '@frontdesk/events'
import { problem, ProblemError } from '@frontdesk/problems'
import { auditInsert, auditParameter, type Act } from '@frontdesk/service/audit'
import type { Organisation } from '../organisations/domain.ts'
import { lockOrganisations } from '../organisations/store.ts'
import type { SiteKey } from '../site-keys/domain.ts'
import { replaceKey, siteKeys } from '../site-keys/store.ts'
import { aboutSite } from './acts.ts'
import type { ChangedSite, CreatedSite, DeletedSite, RegistryEvent, Site } from './domain.ts'

/** The context of a change: the database, the publisher, and the trace and the act of the request that causes it. */
export interface Change {
  pool: Pool
  origin: EventOrigin
  traceparent: string
  act: Act
}

/** Returns the sites that an identifier may mean: one by its slug, and one by its id in each of the systems. */
export async function candidateSites(db: Queryable, identifier: string, systems: readonly string[]): Promise<Site[]> {
  const result = await db.query({
    name: 'sites-candidates',
    text: `select * from sites where slug = $1 and deleted_at is null
           union all
           select * from sites where practice_management_system = any($2) and pms_specific_id = $1 and slug <> $1 and deleted_at is null`,
    values: [identifier, systems],
  })
  return camelRows(result)
}

/** Returns the site of the key with that SHA-256, unless the site is deleted. */
export async function siteOfKey(db: Queryable, hash: Buffer): Promise<Site | undefined> {
  const result = await db.query({
    name: 'sites-of-key',
    text: `select sites.* from site_keys join sites on sites.id = site_keys.site_id
            where site_keys.hash = $1 and sites.deleted_at is null`,
    values: [hash],
  })
  return firstRow<Site>(result)
}

/**
 * Creates a site, or finds the one that the same request created before it crashed between commit and reply.
 * Round trips: 1 with a new organisation, since the statement is its own transaction; 4 with named organisations
 * (begin, lock, insert, commit); 1 more if the site exists already.
 *
 * @param named slugs of the existing organisations that the site is to belong to
 * @param decide gets those of them that exist, locked
 */
export async function createSite(
  change: Change,
  id: string,
  named: readonly string[],
  keys: readonly SiteKey[],
  decide: (organisations: readonly Organisation[]) => CreatedSite,
): Promise<{ site: Site; keys: readonly SiteKey[] }> {
  let refusal: ProblemError | undefined
  try {
    const created = await (named.length === 0
      ? insertSite(change.pool, change, decide([]), keys)
      : transaction(change.pool, async (tx) =>
          insertSite(tx, change, decide(await lockOrganisations(tx, named)), keys),
        ))
    if (created !== undefined) return { site: created, keys }
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error
    // The first try may have succeeded under rules that refuse now: the organisation may be gone.
    refusal = error
  }
  const before = await createdBefore(change.pool, id)
  if (before === undefined) throw refusal ?? new Error(`site ${id} is neither new nor known`)
  return before
}

async function createdBefore(db: Queryable, id: string): Promise<{ site: Site; keys: SiteKey[] } | undefined> {
  const site = firstRow<Site>(await db.query('select * from sites where id = $1', [id]))
  if (site === undefined) return undefined
  if (site.deletedAt !== null) throw problem('conflict', 'The site that this request created has been deleted since.')
  return { site, keys: await siteKeys(db, id) }
}

/** Inserts site, organisation, keys, event and audit entry in one statement. Returns undefined, and inserts nothing, if the site exists. */
async function insertSite(
  db: Queryable,
  { origin, traceparent, act }: Change,
  { site, owner, event }: CreatedSite,
  keys: readonly SiteKey[],
): Promise<Site | undefined> {
  aboutSite(act, site)
  const result = await db.query({
    name: 'sites-insert',
    text: insertSiteSql,
    values: [
      site.id,
      site.slug,
      site.name,
      site.practiceManagementSystem,
      site.pmsSpecificId,
      site.owningOrganisation,
      site.billingOrganisation,
      site.status,
      site.address,
      site.postalAddress,
      site.phoneNumber,
      site.emailAddress,
      site.currency,
      site.webhookUrl,
      site.version,
      site.createdAt,
      owner.name,
      owner.practiceManagementSystem,
      owner.pmsSpecificId,
      owner.ownedSites,
      owner.version,
      keys.map((key) => key.kind),
      keys.map((key) => key.hash),
      keys.map((key) => key.encrypted),
      ...outboxParameters([composeEvent(origin, { ...event, traceparent })]),
      auditParameter(act),
    ],
  })
  if (result.rowCount !== 1) return undefined
  act.recorded()
  return site
}

const insertSiteSql = `
  with created as (
    insert into sites (id, slug, name, practice_management_system, pms_specific_id, owning_organisation, billing_organisation, status,
                       address, postal_address, phone_number, email_address, currency, webhook_url, version, created_at, changed_at)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $16)
    on conflict (id) do nothing
    returning id, owning_organisation, created_at
  ), owner as (
    insert into organisations (slug, name, practice_management_system, pms_specific_id, owned_sites, version, created_at)
    select owning_organisation, $17::text, $18::text, $19::text, $20::int, $21::int, created_at from created
    on conflict (slug) do update set owned_sites = excluded.owned_sites
  ), keys as (
    insert into site_keys (site_id, kind, hash, encrypted, made_by, created_at)
    select created.id, key.kind, key.hash, key.encrypted, created.id, created.created_at
      from created cross join unnest($22::text[], $23::bytea[], $24::text[]) as key (kind, hash, encrypted)
  ), event as (${outboxInsert(25, 'created')}
  ), audited as (${auditInsert(33, 'created')})
  select from created`

/**
 * Changes a site: decides on it as it was found, and saves it with its events in one statement; if another change came
 * first, reads it and decides again. Throws `site_not_found` if it was deleted meanwhile, `pms_specific_id_taken` (409).
 */
export async function updateSite(
  { pool, origin, traceparent, act }: Change,
  found: Site,
  decide: (site: Site) => ChangedSite,
): Promise<Site> {
  for (let site = found; ; site = await readSite(pool, found.id)) {
    const { next, events } = decide(site)
    if (events.length === 0) return next
    const outgoing = traced(events, traceparent).map((event) => composeEvent(origin, event))
    if (await saveSite(pool, site.version, next, outgoing, act)) return next
  }
}

/**
 * Replaces a key of a site, once for each request. Returns all keys of the site, and the replaced one, or no such if the request
 * is resumed. 6 round trips. Throws `site_not_found` if the site was deleted meanwhile.
 */
export async function rotateKey(
  { pool, origin, traceparent, act }: Change,
  key: SiteKey,
  decide: (site: Site, replaced: SiteKey) => ChangedSite,
): Promise<{ keys: SiteKey[]; replaced?: SiteKey }> {
  return transaction(pool, async (tx) => {
    const site = await readSite(tx, key.siteId, 'for update')
    const keys = await siteKeys(tx, key.siteId)
    if (keys.some((known) => known.kind === key.kind && known.madeBy === key.madeBy)) return { keys }
    const replaced = keys.find((known) => known.kind === key.kind)
    if (replaced === undefined) throw new Error(`site ${site.slug} has no ${key.kind} key`)
    const changed = decide(site, replaced)
    await replaceKey(tx, key, changed.next, act)
    await appendToOutbox(tx, origin, traced(changed.events, traceparent))
    return { keys: keys.map((known) => (known === replaced ? key : known)), replaced }
  })
}

/**
 * Deletes a site, and its organisation if that owns no other. The organisation's row is locked first, so that of two
 * deletions, or a deletion and a creation, the second sees the effect of the first. 6 round trips.
 * Throws `site_not_found` if the site was deleted meanwhile.
 */
export async function deleteSite(
  { pool, origin, traceparent, act }: Change,
  { id, owningOrganisation }: Pick<Site, 'id' | 'owningOrganisation'>,
  decide: (site: Site, owner: Organisation) => DeletedSite,
): Promise<DeletedSite> {
  return transaction(pool, async (tx) => {
    const [owner] = await lockOrganisations(tx, [owningOrganisation])
    if (owner === undefined) throw new Error(`organisation ${owningOrganisation} is missing`)
    const deleted = decide(await readSite(tx, id, 'for update'), owner)
    await saveDeletion(tx, deleted, act)
    await appendToOutbox(tx, origin, traced(deleted.events, traceparent))
    return deleted
  })
}

async function readSite(db: Queryable, id: string, lock: '' | 'for update' = ''): Promise<Site> {
  const site = firstRow<Site>(await db.query(`select * from sites where id = $1 and deleted_at is null ${lock}`, [id]))
  if (site === undefined) throw problem('site_not_found')
  return site
}

/** Returns false, and saves nothing, if the site has changed since version `basis`. */
async function saveSite(
  db: Queryable,
  basis: number,
  site: Site,
  events: readonly OutboxEvent[],
  act: Act,
): Promise<boolean> {
  try {
    const result = await db.query({
      name: 'sites-save',
      text: saveSiteSql,
      values: [
        site.id,
        basis,
        site.name,
        site.pmsSpecificId,
        site.status,
        site.address,
        site.postalAddress,
        site.coordinates,
        site.phoneNumber,
        site.emailAddress,
        site.currency,
        site.mapPlaceId,
        site.applicationVersion,
        site.webhookUrl,
        site.version,
        site.changedAt,
        ...outboxParameters(events),
        auditParameter(act),
      ],
    })
    if (result.rowCount === 1) act.recorded()
    return result.rowCount === 1
  } catch (error) {
    if (!isUniqueViolation(error, 'sites_pms_specific_id_key')) throw error
    const errors = [{ pointer: '/PmsSpecificSiteId', detail: 'is the id of another site of this system' }]
    throw problem('pms_specific_id_taken', { errors })
  }
}

const saveSiteSql = `
  with saved as (
    update sites set name = $3, pms_specific_id = $4, status = $5, address = $6, postal_address = $7, coordinates = $8,
                     phone_number = $9, email_address = $10, currency = $11, map_place_id = $12,
                     application_version = $13, webhook_url = $14, version = $15, changed_at = $16
     where id = $1 and version = $2
    returning id
  ), event as (${outboxInsert(17, 'saved')}
  ), audited as (${auditInsert(25, 'saved')})
  select from saved`

/** Marks the site as deleted, and deletes its keys for good. */
async function saveDeletion(tx: Queryable, { site, owner }: DeletedSite, act: Act): Promise<void> {
  if (owner.deletedAt !== null) act.about(`organisation:${owner.slug}`)
  await tx.query({
    name: 'sites-delete',
    text: `with owner as (
             update organisations set owned_sites = $4, version = $5, deleted_at = $6 where slug = $7
           ), keys as (
             delete from site_keys where site_id = $1
           ), audited as (${auditInsert(8)})
           update sites set version = $2, changed_at = $3, deleted_at = $3 where id = $1`,
    values: [
      site.id,
      site.version,
      site.deletedAt,
      owner.ownedSites,
      owner.version,
      owner.deletedAt,
      owner.slug,
      auditParameter(act),
    ],
  })
  act.recorded()
}

function traced(events: readonly RegistryEvent[], traceparent: string): RegistryEvent[] {
  return events.map((event) => ({ ...event, traceparent }))
}
