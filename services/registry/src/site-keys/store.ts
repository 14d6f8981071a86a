import { camelRows, type Queryable } from '@frontdesk/database'
import { auditInsert, auditParameter, type Act } from '@frontdesk/service/audit'
import { contextOf, type SiteKey } from './domain.ts'

/** The encrypted column of the table, for a new master key. */
export const encryptedKey = {
  table: 'site_keys',
  keys: { site_id: 'uuid', kind: 'text' },
  column: 'encrypted',
  context: ([siteId = '', kind = '']: readonly string[]) => contextOf(siteId, kind),
}

/** Returns the keys of a site: none if it is deleted. */
export async function siteKeys(db: Queryable, siteId: string): Promise<SiteKey[]> {
  const result = await db.query({
    name: 'site-keys',
    text: 'select site_id, kind, hash, encrypted, made_by from site_keys where site_id = $1',
    values: [siteId],
  })
  return camelRows<SiteKey>(result)
}

/** Replaces the key of the same kind, and saves the site's next version. */
export async function replaceKey(
  tx: Queryable,
  key: SiteKey,
  site: { version: number; changedAt: Date },
  act: Act,
): Promise<void> {
  await tx.query({
    name: 'site-keys-replace',
    text: `with site as (
             update sites set version = $6, changed_at = $7 where id = $1
           ), audited as (${auditInsert(8)})
           update site_keys set hash = $3, encrypted = $4, made_by = $5, created_at = $7 where site_id = $1 and kind = $2`,
    values: [
      key.siteId,
      key.kind,
      key.hash,
      key.encrypted,
      key.madeBy,
      site.version,
      site.changedAt,
      auditParameter(act),
    ],
  })
  act.recorded()
}
