-- Rows leave these tables as fast as they come. Vacuum follows after a hundredth of the rows, and does not wait for a fifth,
-- so that their files stop growing and the indexes do not fill up with entries of deleted rows.
alter table idempotency_keys set (autovacuum_vacuum_scale_factor = 0.01);
alter table inbox set (autovacuum_vacuum_scale_factor = 0.01);
alter table provider_events set (autovacuum_vacuum_scale_factor = 0.01);
-- A row of the outbox dies twice: when it is published, and when it is deleted.
alter table outbox set (autovacuum_vacuum_cost_limit = 1000);
