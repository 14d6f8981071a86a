-- An endpoint is an origin (scheme, host, port) of a client, no longer an address: queries and paths would multiply its
-- requests in flight. `url` of an address that was stored is normalised: a path follows the origin.
insert into endpoints (client, url)
  select distinct client, substring(url from '^[a-z]+://[^/]+') from subscriptions
  on conflict (client, url) do nothing;
update subscriptions s set endpoint_id = e.id
  from endpoints e
 where e.client = s.client and e.url = substring(s.url from '^[a-z]+://[^/]+') and s.endpoint_id <> e.id;
-- What waits follows its subscription; the lines of the addresses go when the poller finds them empty.
with moved as (
  update delivery.waiting_queues q set endpoint_id = s.endpoint_id
    from subscriptions s where s.id = q.subscription_id and q.endpoint_id <> s.endpoint_id
  returning q.endpoint_id, q.rank
)
insert into delivery.waiting_endpoints as e (endpoint_id, rank, next_at)
  select distinct endpoint_id, rank, now() from moved
  on conflict (endpoint_id, rank) do update set next_at = excluded.next_at where e.next_at > excluded.next_at;
