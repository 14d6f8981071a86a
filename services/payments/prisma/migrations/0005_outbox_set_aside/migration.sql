-- Few rows: those that an operator must look at. Concurrently, as the one before.
create index concurrently outbox_set_aside on outbox (seq) where set_aside_at is not null;
