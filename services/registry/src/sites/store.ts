import { camelRows, firstRow, isUniqueViolation, transaction, type Pool, type Queryable } from '@frontdesk/database'
import { appendToOutbox, composeEvent, type EventOrigin } from '@frontdesk/events'
import { problem, ProblemError } from '@frontdesk/problems'
import type { Organisation } from '../organisations/domain.ts'
import { lockOrganisations } from '../organisations/store.ts'
import type { SiteKey } from '../site-keys/domain.ts'
import { replaceKey, siteKeys } from '../site-keys/store.ts'
import type { CreatedSite, DeletedSite, RegistryEvent, Site } from './domain.ts'

/** What every change needs: where to write, who publishes, and the request that causes it. */
export interface Change {
  pool: Pool
  origin: EventOrigin
  traceparent: string
}

/** All sites that an identifier may mean: one by its slug, and one for each of the systems by its id there. */
export async function candidateSites(db: Queryable, identifier: string, systems: readonly string[]): Promise<Site[]> {
  const result = await db.query({
    name: 'sites-candidates',
    text: `select * from sites where slug = $1 and deleted_at is null
           union all
           select * from sites where system = any($2) and pms_specific_id = $1 and slug <> $1 and deleted_at is null`,
    values: [identifier, systems],
  })
  return camelRows<Site>(result)
}

/** The site of the key with that SHA-256, unless it is deleted. */
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
 * Creates a site, or finds the one that the same request made before (a crash between the commit and the reply).
 * Round trips: 1 where a new organisation is made, since the statement is its own transaction; 4 where organisations
 * are named (begin, lock, insert, commit); one more for a site that is there already.
 *
 * @param named slugs of the existing organisations that it is to belong to
 * @param decide gets these organisations, locked, as far as they exist
 */
export async function createSite(
  change: Change,
  id: string,
  named: readonly string[],
  keys: readonly SiteKey[],
  decide: (organisations: readonly Organisation[]) => CreatedSite,
): Promise<{ site: Site; keys: readonly SiteKey[] }> {
  try {
    const created = await insertDecided(change, named, keys, decide)
    if (created !== undefined) return { site: created, keys }
  } catch (error) {
    // What the rules refuse now (the organisation is gone) they may have allowed when the request came first.
    const before = error instanceof ProblemError ? await createdBefore(change.pool, id) : undefined
    if (before === undefined) throw error
    return before
  }
  const before = await createdBefore(change.pool, id)
  if (before === undefined) throw new Error(`site ${id} is neither new nor known`)
  return before
}

async function insertDecided(
  change: Change,
  named: readonly string[],
  keys: readonly SiteKey[],
  decide: (organisations: readonly Organisation[]) => CreatedSite,
): Promise<Site | undefined> {
  const insert = async (db: Queryable, created: CreatedSite): Promise<Site | undefined> =>
    (await insertSite(db, change, created, keys)) ? created.site : undefined
  if (named.length === 0) return insert(change.pool, decide([]))
  return transaction(change.pool, async (tx) => insert(tx, decide(await lockOrganisations(tx, named))))
}

async function createdBefore(db: Queryable, id: string): Promise<{ site: Site; keys: SiteKey[] } | undefined> {
  const site = firstRow<Site>(await db.query('select * from sites where id = $1', [id]))
  if (site === undefined) return undefined
  if (site.deletedAt !== null) throw problem('conflict', 'The site that this request made was deleted meanwhile.')
  return { site, keys: await siteKeys(db, id) }
}

/** Site, organisation, keys and event in one statement: all of them, or none where the site is there already. */
async function insertSite(
  db: Queryable,
  { origin, traceparent }: Change,
  { site, owner, event }: CreatedSite,
  keys: readonly SiteKey[],
): Promise<boolean> {
  const outgoing = composeEvent(origin, { ...event, traceparent })
  const result = await db.query({
    name: 'sites-insert',
    text: insertSiteSql,
    values: [
      site.id,
      site.slug,
      site.name,
      site.system,
      site.pmsSpecificId,
      site.owningOrganisation,
      site.billingOrganisation,
      site.status,
      site.address,
      site.postalAddress,
      site.phoneNumber,
      site.emailAddress,
      site.currency,
      site.version,
      site.createdAt,
      owner.name,
      owner.system,
      owner.pmsSpecificId,
      owner.ownedSites,
      owner.version,
      keys.map((key) => key.kind),
      keys.map((key) => key.hash),
      keys.map((key) => key.sealed),
      outgoing.id,
      outgoing.aggregateType,
      outgoing.aggregateId,
      outgoing.aggregateVersion,
      outgoing.visibility,
      outgoing.subject,
      outgoing.headers,
      outgoing.payload,
    ],
  })
  return result.rowCount === 1
}

const insertSiteSql = `
  with created as (
    insert into sites (id, slug, name, system, pms_specific_id, owning_organisation, billing_organisation, status,
                       address, postal_address, phone_number, email_address, currency, version, created_at, changed_at)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $15)
    on conflict (id) do nothing
    returning id, owning_organisation, created_at
  ), owner as (
    insert into organisations (slug, name, system, pms_specific_id, owned_sites, version, created_at)
    select owning_organisation, $16::text, $17::text, $18::text, $19::int, $20::int, created_at from created
    on conflict (slug) do update set owned_sites = excluded.owned_sites
  ), keys as (
    insert into site_keys (site_id, kind, hash, sealed, made_by, created_at)
    select created.id, key.kind, key.hash, key.sealed, created.id, created.created_at
      from created cross join unnest($21::text[], $22::bytea[], $23::text[]) as key (kind, hash, sealed)
  ), event as (
    insert into outbox (id, aggregate_type, aggregate_id, aggregate_version, visibility, subject, headers, payload)
    select $24::uuid, $25::text, $26::text, $27::int, $28::smallint, $29::text, $30::jsonb, $31::bytea from created
  )
  select from created`

/**
 * Changes a site: locks it, decides, saves it with its events, and commits. 5 round trips, 3 where nothing changes.
 * Throws `site_not_found` where it was deleted meanwhile, `pms_specific_id_taken` (409).
 */
export async function updateSite(
  { pool, origin, traceparent }: Change,
  id: string,
  decide: (site: Site) => { next: Site; events: readonly RegistryEvent[] },
): Promise<Site> {
  return transaction(pool, async (tx) => {
    const { next, events } = decide(await lockSite(tx, id))
    if (events.length > 0) {
      await saveSite(tx, next)
      await appendToOutbox(tx, origin, traced(events, traceparent))
    }
    return next
  })
}

/**
 * Replaces a key of a site, once for each request: one that is resumed finds the key that it made. 6 round trips.
 * Returns all keys of the site. Throws `site_not_found` where it was deleted meanwhile.
 */
export async function rotateKey(
  { pool, origin, traceparent }: Change,
  key: SiteKey,
  decide: (site: Site) => { next: Site; events: readonly RegistryEvent[] },
): Promise<SiteKey[]> {
  return transaction(pool, async (tx) => {
    const site = await lockSite(tx, key.siteId)
    const keys = await siteKeys(tx, key.siteId)
    if (keys.some((known) => known.kind === key.kind && known.madeBy === key.madeBy)) return keys
    const { next, events } = decide(site)
    await replaceKey(tx, key, next)
    await appendToOutbox(tx, origin, traced(events, traceparent))
    return keys.map((known) => (known.kind === key.kind ? key : known))
  })
}

/**
 * Deletes a site, and with the last one its organisation. The organisation's row is locked first: of two deletions, or
 * a deletion and a creation, the second sees what the first has done. 6 round trips.
 * Throws `site_not_found` where it was deleted meanwhile.
 */
export async function deleteSite(
  { pool, origin, traceparent }: Change,
  { id, owningOrganisation }: Pick<Site, 'id' | 'owningOrganisation'>,
  decide: (site: Site, owner: Organisation) => DeletedSite,
): Promise<DeletedSite> {
  return transaction(pool, async (tx) => {
    const [owner] = await lockOrganisations(tx, [owningOrganisation])
    if (owner === undefined) throw new Error(`organisation ${owningOrganisation} is missing`)
    const deleted = decide(await lockSite(tx, id), owner)
    await saveDeletion(tx, deleted)
    await appendToOutbox(tx, origin, traced(deleted.events, traceparent))
    return deleted
  })
}

async function lockSite(tx: Queryable, id: string): Promise<Site> {
  const result = await tx.query({
    name: 'sites-lock',
    text: 'select * from sites where id = $1 and deleted_at is null for update',
    values: [id],
  })
  const site = firstRow<Site>(result)
  if (site === undefined) throw problem('site_not_found')
  return site
}

async function saveSite(tx: Queryable, site: Site): Promise<void> {
  try {
    await tx.query({
      name: 'sites-save',
      text: `update sites set name = $2, pms_specific_id = $3, status = $4, address = $5, postal_address = $6,
                    coordinates = $7, phone_number = $8, email_address = $9, currency = $10, map_place_id = $11,
                    application_version = $12, version = $13, changed_at = $14
              where id = $1`,
      values: [
        site.id,
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
        site.version,
        site.changedAt,
      ],
    })
  } catch (error) {
    if (!isUniqueViolation(error, 'sites_pms_specific_id_key')) throw error
    const errors = [{ pointer: '/PmsSpecificSiteId', detail: 'is the id of another site of this system' }]
    throw problem('pms_specific_id_taken', { errors })
  }
}

/** The keys go for good: nobody can use or show them any more. */
async function saveDeletion(tx: Queryable, { site, owner }: DeletedSite): Promise<void> {
  await tx.query({
    name: 'sites-delete',
    text: `with owner as (
             update organisations set owned_sites = $4, version = $5, deleted_at = $6 where slug = $7
           ), keys as (
             delete from site_keys where site_id = $1
           )
           update sites set version = $2, changed_at = $3, deleted_at = $3 where id = $1`,
    values: [site.id, site.version, site.deletedAt, owner.ownedSites, owner.version, owner.deletedAt, owner.slug],
  })
}

function traced(events: readonly RegistryEvent[], traceparent: string): RegistryEvent[] {
  return events.map((event) => ({ ...event, traceparent }))
}
