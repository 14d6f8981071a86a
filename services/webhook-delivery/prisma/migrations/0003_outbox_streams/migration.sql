-- An event that the server can never take is set aside, with the reason, and does not block the others.
alter table outbox add column set_aside_at timestamptz(6), add column set_aside_reason text;

-- What each stream was and held when the relay last looked: a stream that was lost or rolled back is noticed.
create table outbox_streams (
  stream text primary key,
  -- When the server made the stream, as it says: nanoseconds, which a timestamp would round.
  created text not null,
  -- Highest sequence that the server has acknowledged to us.
  last_seq bigint not null,
  updated_at timestamptz(6) not null default now()
);
