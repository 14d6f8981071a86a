import { camelRows, type Queryable } from '@frontdesk/database'
import type { Organisation } from './domain.ts'

/**
 * Locks organisations, deleted ones too, until the transaction ends. A change takes these locks before any other, and
 * in the order of the slug, so that no two changes deadlock.
 */
export async function lockOrganisations(tx: Queryable, slugs: readonly string[]): Promise<Organisation[]> {
  const result = await tx.query({
    name: 'organisations-lock',
    text: `select * from organisations where slug = any($1) order by slug collate "C" for update`,
    values: [slugs],
  })
  return camelRows<Organisation>(result)
}
