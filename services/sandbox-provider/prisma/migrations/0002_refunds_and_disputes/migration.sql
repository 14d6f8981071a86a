-- Refunds and disputes are rows of their own: a charge has any number of both.

CREATE TYPE "refund_status" AS ENUM ('pending', 'succeeded', 'failed');

CREATE TYPE "dispute_status" AS ENUM ('needs_response', 'won', 'lost');

CREATE TABLE "refunds" (
    "id" TEXT NOT NULL,
    "charge_id" TEXT NOT NULL,
    "payment_intent_id" TEXT NOT NULL,
    "account_id" TEXT,
    "number" INTEGER NOT NULL,
    "status" "refund_status" NOT NULL,
    "amount" INTEGER NOT NULL,
    "currency" TEXT NOT NULL,
    "fee_returned" INTEGER NOT NULL DEFAULT 0,
    "reason" TEXT,
    "failure_reason" TEXT,
    "metadata" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "refunds_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "disputes" (
    "id" TEXT NOT NULL,
    "charge_id" TEXT NOT NULL,
    "payment_intent_id" TEXT NOT NULL,
    "account_id" TEXT,
    "number" INTEGER NOT NULL,
    "status" "dispute_status" NOT NULL,
    "amount" INTEGER NOT NULL,
    "currency" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "disputes_pkey" PRIMARY KEY ("id")
);

-- What is known of earlier refunds is their sum. The columns dispute_id and dispute_status of charges are no longer written.
INSERT INTO "refunds" ("id", "charge_id", "payment_intent_id", "account_id", "number", "status", "amount", "currency", "metadata", "created_at")
SELECT replace("id", 'ch_', 're_'), "id", "payment_intent_id", "account_id", 1, 'succeeded', "amount_refunded", "currency", '{}', "created_at"
FROM "charges" WHERE "amount_refunded" > 0;

INSERT INTO "disputes" ("id", "charge_id", "payment_intent_id", "account_id", "number", "status", "amount", "currency", "reason", "created_at")
SELECT "dispute_id", "id", "payment_intent_id", "account_id", 1, "dispute_status"::"dispute_status", "amount", "currency", 'general', "created_at"
FROM "charges" WHERE "dispute_id" IS NOT NULL;

CREATE INDEX "refunds_charge_id_idx" ON "refunds"("charge_id");

CREATE INDEX "refunds_payment_intent_id_idx" ON "refunds"("payment_intent_id");

CREATE INDEX "refunds_account_id_created_at_idx" ON "refunds"("account_id", "created_at");

CREATE INDEX "disputes_charge_id_idx" ON "disputes"("charge_id");

CREATE INDEX "disputes_payment_intent_id_idx" ON "disputes"("payment_intent_id");

CREATE INDEX "disputes_account_id_created_at_idx" ON "disputes"("account_id", "created_at");

ALTER TABLE "refunds" ADD CONSTRAINT "refunds_charge_id_fkey" FOREIGN KEY ("charge_id") REFERENCES "charges"("id") ON DELETE NO ACTION ON UPDATE NO ACTION;

ALTER TABLE "disputes" ADD CONSTRAINT "disputes_charge_id_fkey" FOREIGN KEY ("charge_id") REFERENCES "charges"("id") ON DELETE NO ACTION ON UPDATE NO ACTION;
