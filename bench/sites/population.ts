import type { Pool } from '@frontdesk/database'

/** The sites of a large vendor. */
export interface Population {
  sites: number
  /** Owns one site in ten. */
  giantOwner: string
  /** Is billed for one site in five. */
  giantBiller: string
}

/**
 * Fills registry's database with sites by SQL: half of them in one system, organisations with one site up to a tenth of
 * all, two countries with most of the sites, and slugs in no order, like random ones.
 */
export async function populate(pool: Pool, sites: number): Promise<Population> {
  const connection = await pool.connect()
  try {
    await connection.query('set statement_timeout = 0')
    // Sites and organisations refer to one another, so foreign keys hold only when both are inserted.
    await connection.query('set session_replication_role = replica')
    await connection.query(sitesSql, [sites])
    await connection.query(organisationsSql)
    await connection.query('set session_replication_role = origin')
    await connection.query('vacuum (analyze) sites')
    await connection.query('analyze organisations')
    // Pending writes of the filling must not slow down the pages.
    await connection.query('checkpoint')
  } finally {
    connection.release(true)
  }
  const giants = await pool.query<{ owner: string; biller: string }>(
    `select (select owning_organisation from sites where deleted_at is null group by 1 order by count(*) desc limit 1) as owner,
            (select billing_organisation from sites where deleted_at is null group by 1 order by count(*) desc limit 1) as biller`,
  )
  return { sites, giantOwner: giants.rows[0]?.owner ?? '', giantBiller: giants.rows[0]?.biller ?? '' }
}

// An odd multiplier permutes the numbers below 2^32: slugs are distinct and scattered.
const slugOf = (letter: string, number: string) =>
  `'${letter}' || lpad(to_hex(((${number})::bigint * 2654435761) % 4294967296), 8, '0') || 'xyz'`

const sitesSql = `
  insert into sites (id, slug, name, practice_management_system, pms_specific_id, owning_organisation, billing_organisation, status, address,
                     phone_number, email_address, currency, version, created_at, changed_at, deleted_at)
  select gen_random_uuid(), slug, 'Practice ' || n, system, 'PMS-' || n, owner,
         case when n % 5 = 1 then ${slugOf('o', '1')} else owner end,
         case when n % 100 < 92 then 'Operational' when n % 100 < 97 then 'Suspended' else 'Closed' end,
         jsonb_build_object('AddressLine1', n || ' Harbour Street', 'Locality', 'Whitstable', 'PostalCode', 'CT5 1AH', 'Country',
           case when n % 20 < 9 then 'GB' when n % 20 < 14 then 'US' else countries[1 + n / 20 % cardinality(countries)] end),
         '+441632960123', 'reception@practice-' || n || '.example', 'GBP', 1, now(), now(),
         case when n % 23 = 0 then now() end
    from (select n, ${slugOf('s', 'n')} as slug, ${slugOf('o', 'case when n % 10 = 0 then 0 else 2 + n / 4 end')} as owner,
                 case when n % 2 = 0 then 'OpenDental' else codes[1 + n / 2 % cardinality(codes)] end as system
            from generate_series(1, $1::int) as n,
                 (select array_agg(code order by code) as codes from practice_management_systems) as catalogue) as numbered,
         (select array['AU','NZ','CA','IE','DE','FR','ES','IT','NL','BE','CH','AT','SE','NO','DK','FI','PL','PT','ZA','SG'] as countries) as known`

const organisationsSql = `
  insert into organisations (slug, name, practice_management_system, pms_specific_id, owned_sites, created_at, deleted_at)
  select slug, 'Organisation', min(system), slug, count(*) filter (where owned and deleted_at is null), now(),
         case when count(*) filter (where owned and deleted_at is null) = 0 then now() end
    from (select owning_organisation as slug, practice_management_system as system, deleted_at, true from sites
          union all select billing_organisation, practice_management_system, deleted_at, false from sites) as roles (slug, system, deleted_at, owned)
   group by slug on conflict do nothing`
