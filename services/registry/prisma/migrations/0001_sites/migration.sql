-- The service fills this catalogue when it starts.
create table practice_management_systems (
  code text primary key check (code ~ '^[A-Z][A-Za-z0-9]{1,63}$'),
  display_name text not null,
  sector text not null check (sector in ('Dental', 'Medical', 'Optical', 'Veterinary', 'Any')),
  enabled boolean not null
);

create table organisations (
  slug text primary key check (slug ~ '^o[a-zA-Z0-9]{3,}$'),
  name text not null,
  practice_management_system text not null references practice_management_systems (code) on update cascade on delete restrict,
  pms_specific_id text not null,
  owned_sites int not null check (owned_sites >= 0),
  version int not null default 0,
  created_at timestamptz(6) not null,
  deleted_at timestamptz(6),
  -- An organisation is deleted with the last site that it owns.
  constraint organisations_deleted_with_last_site check ((owned_sites = 0) = (deleted_at is not null))
);

create table sites (
  id uuid primary key,
  slug text not null check (slug ~ '^s[a-zA-Z0-9]{3,}$'),
  name text not null,
  practice_management_system text not null references practice_management_systems (code) on update cascade on delete restrict,
  pms_specific_id text not null,
  owning_organisation text not null references organisations (slug) on update cascade on delete restrict,
  billing_organisation text not null references organisations (slug) on update cascade on delete restrict,
  status text not null check (status in ('Operational', 'Suspended', 'Closed')),
  address jsonb,
  postal_address jsonb,
  coordinates jsonb,
  phone_number text,
  email_address text,
  currency text,
  map_place_id text,
  application_version text,
  version int not null check (version > 0),
  created_at timestamptz(6) not null,
  changed_at timestamptz(6) not null,
  deleted_at timestamptz(6)
);
create unique index sites_slug_key on sites (slug);
create unique index sites_pms_specific_id_key on sites (practice_management_system, pms_specific_id) where deleted_at is null;

-- Lists of sites are read from these 12 indexes, in the order of the slug (src/site-list/store.ts). A list walks one of the
-- coarse ones (sites_of_...): all sites, or those of its organisations; the other filters are checked on each row. A range
-- in which few rows pass is divided, and goes on in a finer index, whose key holds more of the filters.
-- Each index has an expression of its own, and the order a collation of its own, so that the planner has no second way to
-- read a range, whatever the statistics say.
create index sites_of_all on sites (slug collate "C") where deleted_at is null;
create index sites_of_owning on sites (owning_organisation, slug collate "C") where deleted_at is null;
create index sites_of_billing on sites (billing_organisation, slug collate "C") where deleted_at is null;
create index sites_of_owning_billing on sites
  ((owning_organisation || ' ' || billing_organisation), slug collate "C") where deleted_at is null;
create index sites_list on sites
  ((practice_management_system || ' ' || status), slug collate "C") where deleted_at is null;
create index sites_list_owning on sites
  ((practice_management_system || ' ' || status || ' ' || owning_organisation), slug collate "C") where deleted_at is null;
create index sites_list_billing on sites
  ((practice_management_system || ' ' || status || ' ' || billing_organisation), slug collate "C") where deleted_at is null;
create index sites_list_country on sites
  ((practice_management_system || ' ' || status || ' ' || (address ->> 'Country')), slug collate "C") where deleted_at is null;
create index sites_list_owning_billing on sites
  ((practice_management_system || ' ' || status || ' ' || owning_organisation || ' ' || billing_organisation), slug collate "C")
  where deleted_at is null;
create index sites_list_owning_country on sites
  ((practice_management_system || ' ' || status || ' ' || owning_organisation || ' ' || (address ->> 'Country')), slug collate "C")
  where deleted_at is null;
create index sites_list_billing_country on sites
  ((practice_management_system || ' ' || status || ' ' || billing_organisation || ' ' || (address ->> 'Country')), slug collate "C")
  where deleted_at is null;
create index sites_list_owning_billing_country on sites
  ((practice_management_system || ' ' || status || ' ' || owning_organisation || ' ' || billing_organisation || ' ' || (address ->> 'Country')), slug collate "C")
  where deleted_at is null;

create table site_keys (
  site_id uuid not null references sites (id) on update cascade on delete restrict,
  kind text not null check (kind in ('Primary', 'Secondary')),
  hash bytea not null check (octet_length(hash) = 32),
  encrypted text not null,
  made_by uuid not null,
  created_at timestamptz(6) not null,
  primary key (site_id, kind)
);
create unique index site_keys_hash_key on site_keys (hash);

create table outbox (
  seq bigint generated always as identity primary key,
  id uuid not null unique,
  aggregate_type text not null,
  aggregate_id text not null,
  aggregate_version int not null,
  visibility smallint not null check (visibility in (0, 1, 2)),
  subject text not null,
  headers jsonb not null,
  payload bytea not null,
  created_at timestamptz(6) not null default now(),
  published_at timestamptz(6),
  stream text,
  stream_seq bigint,
  attempts int not null default 0,
  last_error text,
  unique (aggregate_type, aggregate_id, aggregate_version)
) with (autovacuum_vacuum_scale_factor = 0.01);
create index outbox_pending on outbox (seq) where published_at is null;
create index outbox_published on outbox (published_at) where published_at is not null;

create table idempotency_keys (
  client text not null,
  operation text not null,
  path text not null,
  key text not null,
  fingerprint bytea not null,
  resource_id uuid not null,
  lease_until timestamptz(6) not null,
  expires_at timestamptz(6) not null,
  status int,
  headers jsonb,
  body text,
  primary key (client, operation, path, key)
);
create index idempotency_keys_expiry on idempotency_keys (expires_at);
