import { processSettings } from '@frontdesk/service/process'
import { Type } from 'typebox'

/** The environment variables of the sandbox. The defaults suit a developer's machine; it is never deployed. */
export const environment = Type.Object({
  HOST: Type.String({ default: '127.0.0.1' }),
  PORT: Type.Integer({ default: 0, minimum: 0, maximum: 65_535 }),
  SANDBOX_PROVIDER_DATABASE_URL: Type.String({ minLength: 1 }),
  /** The password of that address, if it has none. Read again for each new connection. */
  SANDBOX_PROVIDER_DATABASE_PASSWORD_FILE: Type.Optional(Type.String({ minLength: 1 })),
  /** Base URL of the pages for people. Default: the address that the process listens on. */
  PUBLIC_URL: Type.Optional(Type.String({ pattern: '^https?://' })),
  SANDBOX_SECRET_KEY: Type.String({ default: 'sk_test_sandbox', minLength: 8 }),
  SANDBOX_WEBHOOK_SECRET: Type.String({ default: 'whsec_sandbox', minLength: 8 }),
  /** Addresses of the two webhook destinations. A destination without an address gets no events. */
  SANDBOX_WEBHOOK_URL_PAYMENTS: Type.Optional(Type.String({ pattern: '^https?://' })),
  SANDBOX_WEBHOOK_URL_ACCOUNTS: Type.Optional(Type.String({ pattern: '^https?://' })),
  /** Comma-separated event types to send (Stripe's `enabled_events`). Default: all that Frontdesk handles. */
  SANDBOX_WEBHOOK_EVENTS: Type.Optional(Type.String()),
  ...processSettings,
})
