-- The audit trail (docs/decisions/033-audit-trail.md): who did what. Rows are added with the effect that they tell of, sealed once, and deleted
-- after 400 days. No foreign keys: an entry outlives what it names.
create table audit_entries (
  id                uuid primary key,
  recorded_at       timestamptz(3) not null default clock_timestamp(),
  principal         text not null,
  site_key_id       text,
  client_address    text,
  site_slug         text,
  organisation_slug text,
  operation         text not null,
  outcome           text not null,
  code              text,
  targets           text[] not null,
  request_id        text,
  trace_id          text,
  -- The place in the chain, and the hash over the entry before it and this one. Null until it is sealed.
  position          bigint unique,
  hash              bytea,
  check ((position is null) = (hash is null))
);
create index audit_entries_recorded on audit_entries (recorded_at);
create index audit_entries_site on audit_entries (site_slug, recorded_at, id) where site_slug is not null;
create index audit_entries_unsealed on audit_entries (id) where hash is null;

-- One row: the end of the chain, and where it begins since older entries were deleted. Sealing locks it.
create table audit_chain (
  id             smallint primary key default 1 check (id = 1),
  position       bigint not null,
  hash           bytea not null,
  start_position bigint not null,
  start_hash     bytea not null
);
insert into audit_chain (position, hash, start_position, start_hash)
values (0, decode(repeat('00', 32), 'hex'), 0, decode(repeat('00', 32), 'hex'));

-- Append-only: an update may only seal, a deletion only take what is past its time.
create function keep_audit_entry() returns trigger language plpgsql as $$
declare
  sealed audit_entries;
begin
  if tg_op = 'DELETE' then
    if old.hash is not null and old.recorded_at < now() - interval '400 days' then
      return old;
    end if;
  elsif tg_op = 'UPDATE' then
    sealed := old;
    sealed.position := new.position;
    sealed.hash := new.hash;
    if old.hash is null and new.hash is not null and new is not distinct from sealed then
      return new;
    end if;
  end if;
  raise exception 'audit_entries is append-only: % is refused', lower(tg_op) using errcode = 'insufficient_privilege';
end
$$;
create trigger audit_entries_kept before update or delete on audit_entries for each row execute function keep_audit_entry();
create trigger audit_entries_not_truncated before truncate on audit_entries for each statement execute function keep_audit_entry();

-- The chain then begins after the last of the deleted entries.
create function move_audit_start() returns trigger language plpgsql as $$
begin
  update audit_chain set start_position = last.position, start_hash = last.hash
    from (select position, hash from gone order by position desc limit 1) as last
   where last.position > start_position;
  return null;
end
$$;
create trigger audit_entries_deleted after delete on audit_entries referencing old table as gone
  for each statement execute function move_audit_start();
