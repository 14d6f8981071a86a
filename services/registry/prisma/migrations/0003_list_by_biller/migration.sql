create index concurrently sites_of_billing on sites (billing_organisation, slug collate "C") where deleted_at is null;
