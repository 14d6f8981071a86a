-- The coarse indexes of lists (src/site-list/domain.ts): organisations alone, their pairs, and all sites. System, status
-- and country are checked on the rows of their ranges. One statement a migration, as none is built beside others.
create index concurrently sites_of_owning on sites (owning_organisation, slug collate "C") where deleted_at is null;
