import pg from 'pg'

/**
 * The roles of Postgres. Each service has two, and none of them is a superuser (docs/decisions/029):
 * `<service>_owner` owns the service's database and everything in it, and applies its migrations;
 * `<service>_runtime` runs the service. It reads and writes rows of that database, and connects to no other.
 */
export interface ServiceRoles {
  owner: string
  runtime: string
  /** The service's database, unless its URL names another one. */
  database: string
}

/** Returns the roles of a service with a database. */
export function rolesOf(service: string): ServiceRoles {
  const name = service.replaceAll('-', '_')
  return { owner: `${name}_owner`, runtime: `${name}_runtime`, database: name }
}

/** Tables, in any service, of which the runtime role does not have every right to rows. */
const limitedTables: Readonly<Record<string, string>> = {
  // The record of what Prisma has applied: a service reads it to know whether it is ready.
  'public._prisma_migrations': 'select',
}

const id = pg.escapeIdentifier
const text = pg.escapeLiteral

/** Statements for the server, by an administrator in any database: creates the roles, without passwords. Repeatable. */
export function roleStatements(service: string): string[] {
  const { owner, runtime } = rolesOf(service)
  return [owner, runtime].map(
    (role) =>
      `do $$ begin create role ${id(role)} login; exception when duplicate_object or unique_violation then null; end $$`,
  )
}

/** Statement for the server: creates a service's database, which must not exist. */
export function databaseStatement(service: string, database: string, template?: string): string {
  const from = template === undefined ? '' : ` template ${id(template)}`
  return `create database ${id(database)} owner ${id(rolesOf(service).owner)}${from}`
}

/** Statements for the server: closes a service's database to every role but its two. Repeatable. */
export function connectStatements(service: string, database: string): string[] {
  const { owner, runtime } = rolesOf(service)
  return [
    `alter database ${id(database)} owner to ${id(owner)}`,
    `revoke all on database ${id(database)} from public`,
    `grant connect on database ${id(database)} to ${id(runtime)}`,
  ]
}

/** Statements for the server: closes the databases that no service uses. Repeatable. */
export function maintenanceStatements(): string[] {
  return ['postgres', 'template1'].map((database) => `revoke all on database ${database} from public`)
}

/**
 * Statement for a service's database, by an administrator: gives the owner role whatever another role has made, for instance
 * in a database from before there were owner roles, or in a restored one. It changes no row. Repeatable.
 */
export function takeOverStatement(service: string): string {
  const owner = rolesOf(service).owner
  return `do $$
declare command text;
begin
  for command in
    with objects as (
      select 1 as place, 'schema ' || quote_ident(nspname) as name, nspowner as owner, oid as namespace, oid from pg_namespace
      union all
      -- Indexes follow their tables, and so do the sequences of identity columns.
      select 2, case relkind when 'S' then 'sequence ' when 'v' then 'view ' else 'table ' end || oid::regclass, relowner, relnamespace, oid
        from pg_class c where relkind in ('r', 'p', 'v', 'S')
         and not exists (select from pg_depend where objid = c.oid and relkind = 'S' and deptype in ('a', 'i'))
      union all
      select 3, 'type ' || oid::regtype, typowner, typnamespace, oid from pg_type where typtype in ('e', 'd')
      union all
      select 4, 'routine ' || oid::regprocedure, proowner, pronamespace, oid from pg_proc
    )
    select 'alter ' || o.name || ' owner to ${id(owner)}' from objects o join pg_namespace n on n.oid = o.namespace
     where n.nspname !~ '^pg_' and n.nspname <> 'information_schema' and o.owner <> ${text(owner)}::regrole
       -- What belongs to an extension stays the administrator's.
       and not exists (select from pg_depend where objid = o.oid and deptype = 'e')
     order by o.place
  loop
    execute command;
  end loop;
end $$`
}

/**
 * Statement for a service's database, by its owner: gives the runtime role its rights, in all schemas and for the tables
 * that later migrations create. Does nothing if there is no runtime role. Repeatable.
 */
export function grantStatement(service: string): string {
  const { owner, runtime } = rolesOf(service)
  const limits = Object.entries(limitedTables).map(
    ([table, rights]) => `
  if to_regclass(${text(table)}) is not null then
    revoke all on ${table} from ${id(runtime)};
    grant ${rights} on ${table} to ${id(runtime)};
  end if;`,
  )
  return `do $$
declare place text;
begin
  if to_regrole(${text(runtime)}) is null or current_user <> ${text(owner)} then return; end if;
  -- Postgres refuses two sessions that change the rights of one table at once.
  perform pg_advisory_xact_lock(hashtextextended('frontdesk grants', 0));
  revoke all on schema public from public;
  alter default privileges revoke execute on functions from public;
  alter default privileges grant select, insert, update, delete on tables to ${id(runtime)};
  alter default privileges grant usage, select on sequences to ${id(runtime)};
  alter default privileges grant execute on functions to ${id(runtime)};
  -- In a new database the schema public belongs to pg_database_owner, of which the owner is a member.
  for place in select quote_ident(nspname) from pg_namespace
                where nspname !~ '^pg_' and nspname <> 'information_schema' and pg_has_role(nspowner, 'usage') loop
    execute 'grant usage on schema ' || place || ' to ${id(runtime)}';
    execute 'grant select, insert, update, delete on all tables in schema ' || place || ' to ${id(runtime)}';
    execute 'grant usage, select on all sequences in schema ' || place || ' to ${id(runtime)}';
    execute 'revoke execute on all routines in schema ' || place || ' from public';
    execute 'grant execute on all routines in schema ' || place || ' to ${id(runtime)}';
  end loop;${limits.join('')}
end $$`
}
