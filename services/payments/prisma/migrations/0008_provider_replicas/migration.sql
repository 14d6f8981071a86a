-- The replicas that call each provider: they share its rate limit, and tell each other when it has them wait.
create table provider_replicas (
  provider text not null,
  replica uuid not null,
  seen_at timestamptz(6) not null,
  slowed_until timestamptz(6) not null,
  primary key (provider, replica)
) with (fillfactor = 50);
