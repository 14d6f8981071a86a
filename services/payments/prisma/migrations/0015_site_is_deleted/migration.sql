-- In SQL, not plpgsql: a session that has run plpgsql spends more on every statement after it. Each statement of a volatile
-- function sees what was committed before it, so the second one still sees a deletion for which the first has waited.
create or replace function site_is_deleted(site text) returns boolean language sql volatile as $$
  select pg_advisory_xact_lock_shared(hashtextextended('deleted site ' || site, 0));
  select exists (select from deleted_sites where slug = site)
$$;
