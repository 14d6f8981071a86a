import type { Queryable } from '@frontdesk/database'
import type { FaultSettings } from './settings.ts'

export async function findFaultSettings(db: Queryable): Promise<FaultSettings> {
  const found = await db.query<{ settings: FaultSettings }>('select settings from fault_settings')
  return found.rows[0]?.settings ?? {}
}

export async function saveFaultSettings(db: Queryable, settings: FaultSettings): Promise<void> {
  await db.query(
    `insert into fault_settings (id, settings) values (1, $1)
     on conflict (id) do update set settings = excluded.settings`,
    [settings],
  )
}
