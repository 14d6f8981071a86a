-- The exact request of an account: a later release must repeat what an earlier one has sent under the same idempotency key.
-- json keeps the order of members.
alter table accounts add column provider_request json;
