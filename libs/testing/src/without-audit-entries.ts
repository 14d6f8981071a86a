import type { Queryable } from '@frontdesk/database'

/** Runs `work` while Postgres refuses every new entry of a service's audit trail. */
export async function withoutAuditEntries<Result>(db: Queryable, work: () => Promise<Result>): Promise<Result> {
  await db.query(
    `alter table audit_entries add constraint none check (id < '00000000-0000-0000-0000-000000000000') not valid`,
  )
  try {
    return await work()
  } finally {
    await db.query('alter table audit_entries drop constraint none')
  }
}

/** Returns `<operation> <outcome>` of each entry about a target or a site, oldest first. */
export async function auditedActs(db: Queryable, about: { target: string } | { site: string }): Promise<string[]> {
  const { rows } = await db.query<{ act: string }>(
    `select operation || ' ' || outcome || coalesce(' ' || code, '') as act from audit_entries
      where ${'target' in about ? '$1 = any(targets)' : 'site_slug = $1'} order by recorded_at, id`,
    ['target' in about ? about.target : about.site],
  )
  return rows.map(({ act }) => act)
}
