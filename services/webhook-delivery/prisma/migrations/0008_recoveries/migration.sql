-- Requests to deliver again what was not delivered. A row is worked on in chunks, by one replica at a time.
create table delivery.recoveries (
  id uuid primary key,
  subscription_id uuid not null,
  since timestamptz not null,
  -- The event up to which it has come, and the one at which it ends.
  position uuid not null,
  last uuid not null,
  deliveries int not null default 0,
  created_at timestamptz not null default now(),
  worked_at timestamptz not null default now(),
  completed_at timestamptz
);
create unique index recoveries_one_at_a_time on delivery.recoveries (subscription_id, since) where completed_at is null;
create index recoveries_open on delivery.recoveries (worked_at) where completed_at is null;
create index recoveries_latest on delivery.recoveries (subscription_id, created_at);
