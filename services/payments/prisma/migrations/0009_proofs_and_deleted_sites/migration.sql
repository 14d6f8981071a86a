-- What a provider's signed event states if it says that a checkout is paid: { checkoutId, amount, currency, paymentIntentId, at }.
-- It is the proof for when the provider no longer tells.
alter table provider_events add column paid jsonb;

-- Whether a site is deleted. Until its transaction ends the site cannot be marked as deleted. A statement that inserts a
-- payment asks this: its own snapshot may be older than the mark, but a volatile function sees what is committed by now.
create function site_is_deleted(site text) returns boolean language plpgsql volatile as $$
begin
  perform pg_advisory_xact_lock_shared(hashtextextended('deleted site ' || site, 0));
  return exists (select from deleted_sites where slug = site);
end
$$;
