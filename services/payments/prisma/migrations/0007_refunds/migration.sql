alter table payments
  -- What the provider took; null until it is paid, and in rows that were paid before this migration.
  add column paid_amount bigint,
  add column paid_currency text,
  -- The newest one: { id, status, amount, currency, reason }.
  add column dispute jsonb,
  -- Since when the provider does not tell what becomes of it.
  add column unreachable_since timestamptz(6);

create table refunds (
  -- Within its payment: the id may come from the provider's metadata, which the account holder can write.
  record_id uuid not null references payments (id),
  id uuid not null,
  provider text not null,
  provider_refund_id text,
  amount bigint not null check (amount > 0),
  currency text not null,
  status text not null check (status in ('Created', 'Pending', 'Succeeded', 'Failed')),
  reason text,
  reference text,
  failure_reason text,
  listed boolean not null default true,
  outcome text check (outcome in ('succeeded', 'failed')),
  -- Not jsonb: the text is kept as it was written, as in payments. Null if the refund was made elsewhere.
  provider_request json,
  created_at timestamptz(6) not null,
  changed_at timestamptz(6) not null,
  primary key (record_id, id),
  unique (provider, provider_refund_id)
);
create index refunds_open_age on refunds (status, changed_at) where status in ('Created', 'Pending');

-- Of refunds that were made before, the payment has only the sum. Its next check brings them one by one. A payment that was
-- refunded in full is not checked by itself, so one check is set for each; over a day, so that the provider is not flooded.
update payments set next_check_at = now() + interval '1 hour' + random() * interval '1 day'
 where amount_refunded > 0 and next_check_at is null;
