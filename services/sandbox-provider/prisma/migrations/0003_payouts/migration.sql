-- What an account was paid out, by currency. Its balance is what it has earned less this.
ALTER TABLE "accounts" ADD COLUMN "paid_out" JSONB NOT NULL DEFAULT '{}';
