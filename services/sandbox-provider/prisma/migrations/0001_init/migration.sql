-- CreateSchema
CREATE SCHEMA IF NOT EXISTS "public";

-- CreateEnum
CREATE TYPE "account_standing" AS ENUM ('onboarding', 'active', 'restricted', 'rejected');

-- CreateEnum
CREATE TYPE "checkout_ui_mode" AS ENUM ('hosted_page', 'embedded_page');

-- CreateEnum
CREATE TYPE "checkout_status" AS ENUM ('open', 'complete', 'expired');

-- CreateEnum
CREATE TYPE "checkout_payment_status" AS ENUM ('unpaid', 'paid');

-- CreateEnum
CREATE TYPE "payment_intent_status" AS ENUM ('requires_payment_method', 'processing', 'succeeded', 'canceled');

-- CreateEnum
CREATE TYPE "charge_status" AS ENUM ('pending', 'succeeded', 'failed');

-- CreateEnum
CREATE TYPE "webhook_destination" AS ENUM ('payments', 'accounts');

-- CreateTable
CREATE TABLE "accounts" (
    "id" TEXT NOT NULL,
    "standing" "account_standing" NOT NULL DEFAULT 'onboarding',
    "email" TEXT,
    "country" TEXT NOT NULL,
    "default_currency" TEXT NOT NULL,
    "business_type" TEXT,
    "business_name" TEXT,
    "business_url" TEXT,
    "support_phone" TEXT,
    "support_email" TEXT,
    "product_description" TEXT,
    "merchant_category" TEXT,
    "statement_descriptor" TEXT,
    "statement_descriptor_prefix" TEXT,
    "controller" JSONB NOT NULL,
    "capabilities" TEXT[],
    "metadata" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "deauthorized_at" TIMESTAMPTZ(3),
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "accounts_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "account_sessions" (
    "client_secret" TEXT NOT NULL,
    "account_id" TEXT NOT NULL,
    "components" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "account_sessions_pkey" PRIMARY KEY ("client_secret")
);

-- CreateTable
CREATE TABLE "account_links" (
    "token" TEXT NOT NULL,
    "account_id" TEXT NOT NULL,
    "refresh_url" TEXT NOT NULL,
    "return_url" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "used_at" TIMESTAMPTZ(3),
    "setup_token" TEXT,
    "setup_expires_at" TIMESTAMPTZ(3),

    CONSTRAINT "account_links_pkey" PRIMARY KEY ("token")
);

-- CreateTable
CREATE TABLE "checkout_sessions" (
    "id" TEXT NOT NULL,
    "account_id" TEXT,
    "ui_mode" "checkout_ui_mode" NOT NULL,
    "status" "checkout_status" NOT NULL DEFAULT 'open',
    "payment_status" "checkout_payment_status" NOT NULL DEFAULT 'unpaid',
    "currency" TEXT NOT NULL,
    "amount_total" INTEGER NOT NULL,
    "line_items" JSONB NOT NULL,
    "client_reference_id" TEXT,
    "customer" TEXT,
    "customer_email" TEXT,
    "metadata" JSONB NOT NULL,
    "success_url" TEXT,
    "cancel_url" TEXT,
    "return_url" TEXT,
    "redirect_on_completion" TEXT,
    "client_secret" TEXT,
    "adaptive_pricing" BOOLEAN NOT NULL,
    "application_fee_amount" INTEGER,
    "payment_description" TEXT,
    "statement_descriptor_suffix" TEXT,
    "payment_metadata" JSONB NOT NULL,
    "payment_intent_id" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "checkout_sessions_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "payment_intents" (
    "id" TEXT NOT NULL,
    "session_id" TEXT NOT NULL,
    "account_id" TEXT,
    "status" "payment_intent_status" NOT NULL,
    "amount" INTEGER NOT NULL,
    "currency" TEXT NOT NULL,
    "customer" TEXT,
    "application_fee_amount" INTEGER,
    "description" TEXT,
    "statement_descriptor_suffix" TEXT,
    "metadata" JSONB NOT NULL,
    "client_secret" TEXT NOT NULL,
    "last_payment_error" JSONB,
    "latest_charge_id" TEXT,
    "cancellation_reason" TEXT,
    "canceled_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "payment_intents_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "charges" (
    "id" TEXT NOT NULL,
    "payment_intent_id" TEXT NOT NULL,
    "account_id" TEXT,
    "status" "charge_status" NOT NULL,
    "amount" INTEGER NOT NULL,
    "amount_refunded" INTEGER NOT NULL DEFAULT 0,
    "dispute_id" TEXT,
    "dispute_status" TEXT,
    "currency" TEXT NOT NULL,
    "customer" TEXT,
    "application_fee_amount" INTEGER,
    "description" TEXT,
    "calculated_statement_descriptor" TEXT,
    "metadata" JSONB NOT NULL,
    "method" TEXT NOT NULL,
    "failure_code" TEXT,
    "decline_code" TEXT,
    "failure_message" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "charges_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "idempotency_records" (
    "scope" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "endpoint" TEXT NOT NULL,
    "fingerprint" BYTEA NOT NULL,
    "status" INTEGER NOT NULL,
    "body" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "idempotency_records_pkey" PRIMARY KEY ("scope","key")
);

-- CreateTable
CREATE TABLE "webhook_events" (
    "id" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "account_id" TEXT,
    "destination" "webhook_destination" NOT NULL,
    "body" TEXT NOT NULL,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "last_status" INTEGER,
    "last_error" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "delivered_at" TIMESTAMPTZ(3),
    "next_attempt_at" TIMESTAMPTZ(3),

    CONSTRAINT "webhook_events_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "fault_settings" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "settings" JSONB NOT NULL,

    CONSTRAINT "fault_settings_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "account_links_setup_token_key" ON "account_links"("setup_token");

-- CreateIndex
CREATE INDEX "checkout_sessions_open_expires_at_idx" ON "checkout_sessions"("expires_at") WHERE "status" = 'open';

-- CreateIndex
CREATE UNIQUE INDEX "payment_intents_session_id_key" ON "payment_intents"("session_id");

-- CreateIndex
CREATE INDEX "charges_payment_intent_id_idx" ON "charges"("payment_intent_id");

-- CreateIndex
CREATE INDEX "idempotency_records_created_at_idx" ON "idempotency_records"("created_at");

-- CreateIndex
CREATE INDEX "webhook_events_next_attempt_at_idx" ON "webhook_events"("next_attempt_at") WHERE "next_attempt_at" IS NOT NULL;

-- CreateIndex
CREATE INDEX "webhook_events_created_at_idx" ON "webhook_events"("created_at");

-- AddForeignKey
ALTER TABLE "account_sessions" ADD CONSTRAINT "account_sessions_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "account_links" ADD CONSTRAINT "account_links_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "checkout_sessions" ADD CONSTRAINT "checkout_sessions_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "payment_intents" ADD CONSTRAINT "payment_intents_session_id_fkey" FOREIGN KEY ("session_id") REFERENCES "checkout_sessions"("id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "charges" ADD CONSTRAINT "charges_payment_intent_id_fkey" FOREIGN KEY ("payment_intent_id") REFERENCES "payment_intents"("id") ON DELETE NO ACTION ON UPDATE NO ACTION;


