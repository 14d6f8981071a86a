-- For the list of payments across the sites of a practice management system.
create index concurrently payments_of_system on payments (product, provider, status, id) where listed;
