create table accounts (
  id uuid primary key,
  site_slug text not null,
  provider text not null,
  status text not null
    check (status in ('None', 'Pending', 'ActionRequired', 'Active', 'Restricted', 'Disabled', 'Rejected')),
  external_account_id text,
  statement_descriptor_prefix text,
  disabled_reason text,
  version int not null default 0,
  provider_order jsonb not null,
  organisation_slug text not null,
  billing_organisation_slug text not null,
  product text not null,
  pms_specific_id text not null,
  traceparent text,
  created_at timestamptz not null default now(),
  changed_at timestamptz not null default now(),
  checked_at timestamptz,
  next_check_at timestamptz,
  deleted_at timestamptz,
  provider_deletion_due_at timestamptz,
  provider_deletion_tries int not null default 0,
  provider_deletion_note text
);
-- One live account per site and provider, whatever races.
create unique index accounts_live on accounts (site_slug, provider) where deleted_at is null;
create index accounts_external on accounts (provider, external_account_id);
create index accounts_due on accounts (next_check_at) where next_check_at is not null;
create index accounts_deletion_due on accounts (provider_deletion_due_at) where provider_deletion_due_at is not null;

create table provider_events (
  provider text not null,
  event_id text not null,
  type text not null,
  account text,
  object_id text not null,
  payload text not null,
  received_at timestamptz not null default now(),
  applied_at timestamptz,
  note text,
  primary key (provider, event_id)
);
create index provider_events_received on provider_events (received_at);

create table deleted_sites (
  slug text primary key,
  deleted_at timestamptz not null default now()
);

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
  created_at timestamptz not null default now(),
  published_at timestamptz,
  stream text,
  stream_seq bigint,
  attempts int not null default 0,
  last_error text,
  unique (aggregate_type, aggregate_id, aggregate_version)
) with (autovacuum_vacuum_scale_factor = 0.01);
create index outbox_pending on outbox (seq) where published_at is null;
create index outbox_published on outbox (published_at) where published_at is not null;

create table inbox (
  consumer text not null,
  source text not null,
  event_id text not null,
  received_at timestamptz not null default now(),
  primary key (consumer, source, event_id)
);
create index inbox_received on inbox (received_at);

create table idempotency_keys (
  client text not null,
  operation text not null,
  path text not null,
  key text not null,
  fingerprint bytea not null,
  resource_id uuid not null,
  lease_until timestamptz not null,
  expires_at timestamptz not null,
  status int,
  headers jsonb,
  body text,
  primary key (client, operation, path, key)
);
create index idempotency_keys_expiry on idempotency_keys (expires_at);
