-- Where deliveries wait: what the poller reads, so that a poll costs as much as what is due and not as what waits.
-- A trigger of the deliveries keeps both tables, in the transaction of every statement that leaves a delivery pending and
-- unclaimed: no statement can forget it. Rows are deleted, and times raised, by the poller alone (src/polling/store.ts).

-- One row for each subscription and rank with deliveries that wait. `next_at` is never later than the first of them is due;
-- 'infinity' while the subscription is paused.
create table delivery.waiting_queues (
  subscription_id uuid not null,
  rank smallint not null,
  endpoint_id bigint not null,
  next_at timestamptz not null,
  primary key (subscription_id, rank)
) with (autovacuum_vacuum_scale_factor = 0.01);
create index waiting_queues_next on delivery.waiting_queues (endpoint_id, rank, next_at);

-- One row for each endpoint and rank with such queues. `next_at` is when it is looked at: when the first queue is due, and
-- later for a while if a replica is at it, or if it asked for silence.
create table delivery.waiting_endpoints (
  endpoint_id bigint not null,
  rank smallint not null,
  next_at timestamptz not null,
  primary key (endpoint_id, rank)
) with (autovacuum_vacuum_scale_factor = 0.01);
create index waiting_endpoints_next on delivery.waiting_endpoints (next_at);

-- Rows are locked in one order, queues before endpoints, so that two statements cannot wait for each other. A row that is
-- early enough already is locked all the same: the poller does not raise it before this transaction is visible.
create function delivery.note_waiting() returns trigger language plpgsql as $$
begin
  with parked as (
    select subscription_id, rank, min(due_at) as due_at from changed
     where state = 'pending' and claim_id is null group by subscription_id, rank
  ), queued as (
    insert into delivery.waiting_queues as q (subscription_id, rank, endpoint_id, next_at)
    select parked.subscription_id, parked.rank, s.endpoint_id, parked.due_at
      from parked cross join lateral (select endpoint_id from public.subscriptions where id = parked.subscription_id limit 1) s
     order by parked.subscription_id, parked.rank
    on conflict (subscription_id, rank) do update set next_at = excluded.next_at where q.next_at > excluded.next_at
    returning q.endpoint_id, q.rank, q.next_at
  )
  insert into delivery.waiting_endpoints as e (endpoint_id, rank, next_at)
  select endpoint_id, rank, min(next_at) from queued group by endpoint_id, rank order by endpoint_id, rank
  on conflict (endpoint_id, rank) do update set next_at = excluded.next_at where e.next_at > excluded.next_at;
  return null;
end
$$;
create trigger deliveries_waiting_inserted after insert on delivery.deliveries
  referencing new table as changed for each statement execute function delivery.note_waiting();
create trigger deliveries_waiting_updated after update on delivery.deliveries
  referencing new table as changed for each statement execute function delivery.note_waiting();

-- The deliveries that wait already. The lock makes the version before wait until the triggers are there.
lock table delivery.deliveries in share row exclusive mode;
insert into delivery.waiting_queues (subscription_id, rank, endpoint_id, next_at)
  select d.subscription_id, d.rank, s.endpoint_id, min(d.due_at)
    from delivery.deliveries d join subscriptions s on s.id = d.subscription_id
   where d.state = 'pending' and d.claim_id is null group by d.subscription_id, d.rank, s.endpoint_id
  on conflict do nothing;
insert into delivery.waiting_endpoints (endpoint_id, rank, next_at)
  select endpoint_id, rank, min(next_at) from delivery.waiting_queues group by endpoint_id, rank
  on conflict do nothing;
