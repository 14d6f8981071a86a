-- Messages that this service can never process. They stay until a person has dealt with them.
create table dead_letters (
  id uuid primary key default gen_random_uuid(),
  consumer text not null,
  stream text not null,
  stream_seq bigint not null,
  -- Nats-Msg-Id, or stream and sequence without one: the same at every delivery of the message.
  message_id text not null,
  subject text not null,
  headers jsonb not null,
  payload bytea not null,
  reason text not null,
  deliveries int not null,
  -- When JetStream stored the message.
  stored_at timestamptz not null,
  set_aside_at timestamptz not null default now(),
  replayed_at timestamptz,
  unique (consumer, message_id)
);
create index dead_letters_open on dead_letters (set_aside_at) where replayed_at is null;

-- How far each durable consumer has come: where it is made again if the server loses it.
create table consumer_positions (
  consumer text primary key,
  stream text not null,
  ack_floor bigint not null,
  -- Every message stored before this time is acknowledged.
  resume_from timestamptz not null,
  updated_at timestamptz not null default now()
);
