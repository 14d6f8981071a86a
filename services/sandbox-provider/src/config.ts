import { Type } from 'typebox'

/** The environment of the stand-in. Every default is for one developer's machine, which is all that it is for. */
export const environment = Type.Object({
  HOST: Type.String({ default: '127.0.0.1' }),
  PORT: Type.Integer({ default: 0, minimum: 0, maximum: 65_535 }),
  SANDBOX_PROVIDER_DATABASE_URL: Type.String({ minLength: 1 }),
  /** Base URL of the pages as people reach them; by default the address that the process listens on. */
  PUBLIC_URL: Type.Optional(Type.String({ pattern: '^https?://' })),
  SANDBOX_SECRET_KEY: Type.String({ default: 'sk_test_sandbox', minLength: 8 }),
  SANDBOX_WEBHOOK_SECRET: Type.String({ default: 'whsec_sandbox', minLength: 8 }),
  /** Where the two webhook destinations are; one without an address gets no events. */
  SANDBOX_WEBHOOK_URL_PAYMENTS: Type.Optional(Type.String({ pattern: '^https?://' })),
  SANDBOX_WEBHOOK_URL_ACCOUNTS: Type.Optional(Type.String({ pattern: '^https?://' })),
  /** Comma list of the event types that are sent (Stripe's `enabled_events`); by default all that Frontdesk handles. */
  SANDBOX_WEBHOOK_EVENTS: Type.Optional(Type.String()),
})
