create table payments (
  id uuid primary key,
  site_slug text not null,
  organisation_slug text not null,
  billing_organisation_slug text not null,
  product text not null,
  pms_specific_id text not null,
  traceparent text,
  provider text not null,
  provider_account_id text not null,
  -- Not jsonb: the text is kept as it was written, since one idempotency key must never stand for two requests.
  provider_request json not null,
  ui_mode text not null check (ui_mode in ('Hosted', 'Embedded')),
  currency text not null,
  amount bigint not null check (amount between 1 and 99999999),
  fee_amount bigint not null check (fee_amount between 0 and amount),
  tip_amount bigint not null default 0,
  amount_refunded bigint not null default 0,
  reference text,
  customer_id text,
  statement_descriptor text,
  status text not null check (status in ('Created', 'Pending', 'Declined', 'Processing', 'Completed', 'Failed',
    'Cancelled', 'PartiallyRefunded', 'Refunded', 'Disputed', 'ChargedBack')),
  version int not null,
  event_count int not null default 0,
  listed boolean not null default true,
  outcome text check (outcome in ('succeeded', 'failed', 'cancelled')),
  cancelling text check (cancelling in ('requested_by_client', 'expired', 'site_deleted', 'provider')),
  history jsonb not null,
  payment_id text,
  payment_intent_id text,
  charge_id text,
  decline_code text,
  checkout_url text,
  client_secret text,
  expires_at timestamptz,
  created_at timestamptz not null,
  changed_at timestamptz not null,
  checked_at timestamptz,
  next_check_at timestamptz
);
-- Ids are UUIDv7, so their order is the order of creation.
create index payments_of_site on payments (site_slug, id) where listed;
create index payments_by_reference on payments (site_slug, reference, id) where listed and reference is not null;
create index payments_by_status on payments (site_slug, status, id) where listed;
create index payments_payment_id on payments (payment_id);
create index payments_intent on payments (payment_intent_id) where payment_intent_id is not null;
create index payments_open_age on payments (status, changed_at)
  where status in ('Created', 'Pending', 'Declined', 'Processing');
create index payments_due on payments (next_check_at) where next_check_at is not null;

create table account_copies (
  account_id uuid primary key,
  site_slug text not null,
  provider text not null,
  status text not null,
  external_account_id text,
  statement_descriptor_prefix text,
  version int not null,
  created_at timestamptz not null,
  deleted_at timestamptz
);
create index account_copies_live on account_copies (site_slug, provider) where deleted_at is null;

create table provider_events (
  provider text not null,
  event_id text not null,
  type text not null,
  account text,
  object_id text not null,
  object_type text not null,
  payment_intent_id text,
  record_id uuid,
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
