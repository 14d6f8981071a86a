-- For the list of payments across the sites of an organisation. Concurrently, which is one statement and so a migration of its own.
create index concurrently payments_of_organisation on payments (organisation_slug, provider, status, id) where listed;
