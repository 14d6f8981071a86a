import type { Queryable } from '@frontdesk/database'
import type { Catalogue } from './domain.ts'

/** Saves the catalogue into its table. Entries that only the table has stay: values are only ever added. */
export async function saveCatalogue(db: Queryable, catalogue: Catalogue): Promise<void> {
  const systems = [...catalogue.values()]
  await db.query(
    `insert into practice_management_systems as known (code, display_name, sector, enabled)
     select * from unnest($1::text[], $2::text[], $3::text[], $4::boolean[])
     on conflict (code) do update
       set display_name = excluded.display_name, sector = excluded.sector, enabled = excluded.enabled
     where (known.display_name, known.sector, known.enabled)
       is distinct from (excluded.display_name, excluded.sector, excluded.enabled)`,
    [
      systems.map((system) => system.code),
      systems.map((system) => system.displayName),
      systems.map((system) => system.sector),
      systems.map((system) => system.enabled),
    ],
  )
}
