import type { Queryable } from '@frontdesk/database'
import { publicEventTypes } from '@frontdesk/contracts'
import { plainArray } from '../db.ts'
import type { IncomingEvent } from './incoming.ts'

/** A delivery that the intake has made. */
export interface MadeDelivery {
  eventId: string
  subscriptionId: string
  endpointId: bigint
  version: number
  failing: boolean
  /** Leased to this process, to be sent at once; otherwise it waits in Postgres. */
  leased: boolean
  /** Until it is due. */
  dueInMs: number
  /** `expired` if the event came too late. */
  state: 'pending' | 'expired'
}

export interface Intake {
  made: MadeDelivery[]
  /** How many of the events were new. */
  fresh: number
  /** Postgres's clock, epoch milliseconds. */
  now: number
}

export interface LeaseTerms {
  claimId: string
  leaseMs: number
  /** Endpoints whose deliveries are leased. */
  open: readonly bigint[]
  /** Endpoints whose deliveries are not leased. */
  closed: readonly bigint[]
  /** How many deliveries to other endpoints are leased at most. */
  others: number
}

/**
 * Stores events and makes their deliveries, in one statement. An event that is stored already makes no deliveries: its row
 * serves as its inbox row. A delivery is leased to this process from the start, unless it has to wait.
 */
export async function receiveEvents(
  db: Queryable,
  events: readonly IncomingEvent[],
  lease: LeaseTerms,
): Promise<Intake> {
  const payloads = events.map((event) => event.payload)
  let offset = 1
  const offsets = payloads.map((payload) => (offset += payload.byteLength) - payload.byteLength)
  const result = await db.query<IntakeRow>({
    name: 'delivery-intake',
    text: intakeSql,
    values: [
      plainArray(events.map((event) => event.eventId)),
      events.map((event) => event.type),
      events.map((event) => event.siteSlug ?? null),
      plainArray(events.map((event) => event.rank)),
      events.map((event) => event.notBefore ?? null),
      events.map((event) => event.expiresAt ?? null),
      // All bytes in one binary parameter: an array of them would travel as hexadecimal text.
      Buffer.concat(payloads),
      plainArray(offsets),
      plainArray(payloads.map((payload) => payload.byteLength)),
      lease.claimId,
      lease.leaseMs,
      plainArray(lease.open.map(String)),
      plainArray(lease.closed.map(String)),
      lease.others,
      [...publicEventTypes],
    ],
  })
  const made = result.rows.flatMap((row): MadeDelivery[] => (row.subscription_id === null ? [] : [madeDelivery(row)]))
  const first = result.rows[0]
  return { made, fresh: first?.fresh ?? 0, now: first?.now_ms ?? 0 }
}

interface IntakeRow {
  fresh: number
  now_ms: number
  event_id: string
  subscription_id: string | null
  endpoint_id: bigint
  version: number
  failing: boolean
  leased: boolean
  due_in_ms: number
  state: 'pending' | 'expired'
}

function madeDelivery(row: IntakeRow): MadeDelivery {
  return {
    eventId: row.event_id,
    subscriptionId: row.subscription_id ?? '',
    endpointId: row.endpoint_id,
    version: row.version,
    failing: row.failing,
    leased: row.leased,
    dueInMs: row.due_in_ms,
    state: row.state,
  }
}

// `on conflict` also drops a duplicate within one batch. A subscription matches events from the millisecond in which it was
// made, because an event's id tells its time no finer.
const intakeSql = `
  with incoming as (
    select event_id, type, site_slug, rank, to_timestamp(not_before / 1000.0) as not_before,
           to_timestamp(expires_at / 1000.0) as expires_at, first_byte, bytes
      from unnest($1::uuid[], $2::text[], $3::text[], $4::int[], $5::float8[], $6::float8[], $8::int[], $9::int[])
        as incoming (event_id, type, site_slug, rank, not_before, expires_at, first_byte, bytes)
  ), stored as (
    insert into delivery.events (event_id, type, site_slug, rank, not_before, expires_at, payload)
    select event_id, type, site_slug, rank, not_before, expires_at, substring($7::bytea from first_byte for bytes) from incoming
    on conflict do nothing
    returning event_id, type, site_slug, rank, not_before, expires_at
  ), matched as (
    select e.event_id, e.rank, s.id as subscription_id, s.endpoint_id, s.version, s.failing_since is not null as failing,
           e.expires_at <= now() as expired,
           greatest(e.not_before, now()) as due_at,
           s.state = 'active' and coalesce(e.not_before <= now(), true) and coalesce(p.throttled_until <= now(), true)
             and coalesce(e.expires_at > now(), true) as sendable,
           case when s.endpoint_id = any($12::bigint[]) then 'open' when s.endpoint_id = any($13::bigint[]) then 'closed'
                else 'other' end as kind
      from stored e
      join subscriptions s on s.site_slug = e.site_slug
      join endpoints p on p.id = s.endpoint_id
     where coalesce(s.matches_until > now(), true)
       and date_trunc('milliseconds', s.created_at) <= to_timestamp(('x' || translate(left(e.event_id::text, 13), '-', ''))::bit(48)::bigint / 1000.0)
       and (e.type = any(s.event_types) or (e.type = any($15::text[]) and split_part(e.type, '.', 1) || '.*' = any(s.event_types)))
  ), leased as (
    select *, sendable and (kind = 'open' or (kind = 'other'
             and count(*) filter (where kind = 'other') over (rows unbounded preceding) <= $14::int)) as leased
      from matched
  ), made as (
    insert into delivery.deliveries (subscription_id, event_id, due_at, completed_at, claim_id, state, rank)
    select subscription_id, event_id, case when leased then now() + make_interval(secs => $11::float8 / 1000) else due_at end,
           case when expired then now() end, case when leased then $10::uuid end,
           (case when expired then 'expired' else 'pending' end)::delivery.delivery_state, rank
      from leased
  )
  select (select count(*)::int from stored) as fresh, (extract(epoch from now()) * 1000)::float8 as now_ms,
         m.event_id, m.subscription_id, m.endpoint_id, m.version, m.failing, m.leased,
         (extract(epoch from m.due_at - now()) * 1000)::float8 as due_in_ms,
         case when m.expired then 'expired' else 'pending' end as state
    from (select 1) as always left join leased m on true`
