-- The service's role may not create or drop tables. These functions of the owner do it for the days of its partitioned
-- tables, and nothing else. Names are qualified, and the search path has no schema in which others may create.

-- Creates the missing partitions of these days (UTC). Attaching a ready table locks its parent far less than creating the
-- partition in place does, so deliveries go on meanwhile.
create function delivery.add_days(days date[]) returns void language plpgsql security definer
  set search_path = pg_catalog, pg_temp as $$
declare
  added date;
  parent text;
  partition text;
begin
  -- Each statement below has a snapshot of its own, so it sees what the holder before has committed.
  perform pg_advisory_xact_lock(hashtextextended('webhook-delivery partitions', 0));
  foreach added in array days loop
    foreach parent in array array['events', 'deliveries', 'attempts'] loop
      partition := parent || '_' || to_char(added, 'YYYYMMDD');
      continue when exists (select from pg_inherits i join pg_class c on c.oid = i.inhrelid
                             where i.inhparent = format('delivery.%I', parent)::regclass and c.relname = partition);
      execute format('create table delivery.%I (like delivery.%I including all)', partition, parent);
      execute format('alter table delivery.%I attach partition delivery.%I for values from (%L) to (%L)',
                     parent, partition, delivery.lowest_id(added), delivery.lowest_id(added + 1));
    end loop;
  end loop;
end
$$;

-- The smallest id that a UUIDv7 of a day (UTC) can have.
create function delivery.lowest_id(day date) returns uuid language sql immutable
  set search_path = pg_catalog, pg_temp as $$
  select rpad(lpad(to_hex((extract(epoch from day::timestamp) * 1000)::bigint), 12, '0'), 32, '0')::uuid
$$;

-- Drops the partition of a day. A lock that is not free within 100 ms is an error (55P03): the parent is locked for no longer
-- than that, and statements behind it wait for as long. The partition is locked first, because an old day's readers are slow
-- and its parent has all the others. That is not the order in which statements lock: the time limit ends a deadlock, too.
create function delivery.drop_day(parent text, day date) returns void language plpgsql security definer
  set search_path = pg_catalog, pg_temp set lock_timeout = '100ms' as $$
declare
  partition text := parent || '_' || to_char(day, 'YYYYMMDD');
  pending boolean;
begin
  if parent not in ('events', 'deliveries', 'attempts') then raise exception 'delivery.% has no days', parent; end if;
  if to_regclass(format('delivery.%I', partition)) is null then return; end if;
  execute format('lock table only delivery.%I in access exclusive mode', partition);
  -- The release before detached concurrently, which may have been broken off, or have left a table without a parent.
  select inhdetachpending into pending from pg_inherits where inhrelid = format('delivery.%I', partition)::regclass;
  if found then
    execute format('alter table delivery.%I detach partition delivery.%I%s', parent, partition,
                   case when pending then ' finalize' else '' end);
  end if;
  execute format('drop table delivery.%I', partition);
end
$$;
