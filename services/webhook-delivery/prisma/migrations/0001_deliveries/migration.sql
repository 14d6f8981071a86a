create table endpoints (
  id bigint generated always as identity primary key,
  client text not null,
  url text not null,
  throttled_until timestamptz,
  created_at timestamptz not null default now(),
  constraint endpoints_client_url_key unique (client, url)
);

create table subscriptions (
  id uuid primary key,
  client text not null,
  site_slug text not null,
  site jsonb not null,
  endpoint_id bigint not null references endpoints (id),
  url text not null,
  event_types text[] not null check (cardinality(event_types) > 0),
  header_names text[] not null,
  encrypted_headers text not null,
  encrypted_secret text not null,
  encrypted_previous_secret text,
  previous_secret_expires_at timestamptz,
  -- The request that made the present secret: resumed, it must not make another.
  rotation_id uuid,
  state text not null check (state in ('active', 'paused')),
  pause_reason text check (pause_reason in ('failing', 'gone')),
  paused_at timestamptz,
  next_probe_at timestamptz,
  failing_since timestamptz,
  failed_attempts int not null default 0,
  version int not null default 1,
  created_at timestamptz not null default now(),
  changed_at timestamptz not null default now(),
  deleted_at timestamptz,
  matches_until timestamptz,
  check ((state = 'paused') = (pause_reason is not null)),
  check ((deleted_at is null) = (matches_until is null))
);
create unique index subscriptions_one_per_client_and_site on subscriptions (client, site_slug) where deleted_at is null;
create index subscriptions_site on subscriptions (site_slug);
create index subscriptions_endpoint on subscriptions (endpoint_id);
create index subscriptions_probe on subscriptions (next_probe_at) where next_probe_at is not null;

-- Everything of a day lies in one partition of each table, found by the time in the event's id (UUIDv7), so that a day is
-- dropped whole. Therefore event_id is in every unique key.
create schema delivery;

create type delivery.delivery_state as enum ('pending', 'delivered', 'rejected', 'exhausted', 'expired', 'cancelled');

-- An event that is stored was received: its row is the inbox row. `payload` is the bytes that are signed and sent.
create table delivery.events (
  event_id uuid primary key,
  type text not null,
  site_slug text,
  -- Lower goes first: the negated priority.
  rank smallint not null,
  not_before timestamptz,
  expires_at timestamptz,
  payload bytea not null,
  received_at timestamptz not null default now()
) partition by range (event_id);

-- One event for one subscription. `due_at` of a pending delivery is when it must be looked at: without a claim the time
-- of its next attempt, with a claim the end of the sending process's lease.
create table delivery.deliveries (
  subscription_id uuid not null,
  event_id uuid not null,
  due_at timestamptz not null,
  completed_at timestamptz,
  claim_id uuid,
  state delivery.delivery_state not null,
  -- Attempts made, and how many of them count against the schedule (a 429 does not).
  attempts int not null default 0,
  step smallint not null default 0,
  rank smallint not null,
  primary key (subscription_id, event_id)
) partition by range (event_id);

-- Retries and parked deliveries: the poller claims them in this order.
create index deliveries_waiting on delivery.deliveries (subscription_id, rank, due_at)
  where state = 'pending' and claim_id is null;
-- Claimed deliveries: those whose lease has lapsed are released.
create index deliveries_claimed on delivery.deliveries (due_at) where state = 'pending' and claim_id is not null;

create table delivery.attempts (
  event_id uuid not null,
  subscription_id uuid not null,
  number int not null,
  started_at timestamptz not null,
  duration_ms int not null,
  outcome text not null,
  status_code smallint,
  error text,
  response_body bytea,
  primary key (event_id, subscription_id, number)
) partition by range (event_id);

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
