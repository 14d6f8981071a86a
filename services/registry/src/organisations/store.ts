import { camelRows, type Queryable } from '@frontdesk/database'
import type { Organisation } from './domain.ts'

/**
 * Locks organisations until the transaction ends, deleted ones too. Always the first lock of a change, and always in
 * the order of the slug, so that no two changes wait for each other.
 */
export async function lockOrganisations(tx: Queryable, slugs: readonly string[]): Promise<Organisation[]> {
  const result = await tx.query({
    name: 'organisations-lock',
    text: `select * from organisations where slug = any($1) order by slug collate "C" for update`,
    values: [slugs],
  })
  return camelRows<Organisation>(result)
}
