-- Counts the saves of an account; `version` counts its events, of which a save may have none.
alter table accounts add column revision int not null default 0;
