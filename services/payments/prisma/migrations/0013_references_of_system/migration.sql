-- For the payments of a reference across the sites of a practice management system.
create index concurrently payments_system_reference on payments (product, reference collate "C", id)
  where listed and reference is not null;
