-- For the payments of a reference across the sites of an organisation. Byte by byte, so that no collation of a server matters.
create index concurrently payments_organisation_reference on payments (organisation_slug, reference collate "C", id)
  where listed and reference is not null;
