create index concurrently if not exists subscriptions_ended on subscriptions (deleted_at) where deleted_at is not null;
