-- The proofs of a payment. Concurrently, which is one statement and so a migration of its own.
create index concurrently provider_events_paid on provider_events (record_id) where paid is not null;
