create index concurrently sites_of_all on sites (slug collate "C") where deleted_at is null;
