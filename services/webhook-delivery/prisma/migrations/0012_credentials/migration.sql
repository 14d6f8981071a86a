-- A subscription ends with the credential that made it. Null: made by a client, or by a site key before this release, of which
-- nobody knows the id.
alter table subscriptions add column site_key_id uuid;
alter table subscriptions drop constraint subscriptions_pause_reason_check;
alter table subscriptions add constraint subscriptions_pause_reason_check
  check (pause_reason in ('failing', 'gone', 'site_key_replaced', 'rights_lost'));

-- Site keys that were replaced lately. A gateway may let one through for a while, while registry is away: it must not subscribe.
create table replaced_site_keys (
  site_key_id uuid primary key,
  replaced_at timestamptz not null default now()
);
create index replaced_site_keys_age on replaced_site_keys (replaced_at);
