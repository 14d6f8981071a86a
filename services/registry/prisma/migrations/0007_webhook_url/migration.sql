-- Where the webhooks of a site go whose subscription and client name no address.
alter table sites add column webhook_url text;
