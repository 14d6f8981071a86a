-- What arrived at /inbox/{inbox}: a receiver of webhooks to look at.
CREATE TABLE "inbox_requests" (
    "number" BIGINT GENERATED ALWAYS AS IDENTITY,
    "inbox" TEXT NOT NULL,
    "received_at" TIMESTAMPTZ(3) NOT NULL,
    "headers" JSONB NOT NULL,
    "body" BYTEA NOT NULL,
    "answer" INTEGER NOT NULL,
    "answered_by" TEXT NOT NULL,
    "error" TEXT,

    CONSTRAINT "inbox_requests_pkey" PRIMARY KEY ("number")
);
CREATE INDEX "inbox_requests_inbox_number_idx" ON "inbox_requests"("inbox", "number");

-- The secrets and public keys that signatures are checked with.
CREATE TABLE "inbox_secrets" (
    "inbox" TEXT NOT NULL,
    "secret" TEXT NOT NULL,
    "told_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "inbox_secrets_pkey" PRIMARY KEY ("inbox", "secret")
);
