create index concurrently sites_of_owning_billing on sites
  ((owning_organisation || ' ' || billing_organisation), slug collate "C") where deleted_at is null;
