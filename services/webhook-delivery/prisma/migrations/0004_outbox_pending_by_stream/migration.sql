-- The events that wait, by the part of the subject that decides on their stream: a stream that is full hides no other.
-- Concurrently, which is one statement and so a migration of its own.
create index concurrently outbox_pending_by_stream on outbox
  ((case when starts_with(subject, 'work.') then 'work' else split_part(subject, '.', 3) end), seq)
  where published_at is null and set_aside_at is null;
