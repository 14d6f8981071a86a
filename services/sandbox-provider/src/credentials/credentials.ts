import { type Static, Type } from 'typebox'

const secrets = Type.Array(Type.String({ minLength: 8, maxLength: 200 }), { minItems: 1, maxItems: 4 })

/** The keys and secrets in force. Several of a kind are good at the same time, as while a platform replaces one at Stripe. */
export const credentialSettings = Type.Object(
  {
    /** each of them may call the API */
    secretKeys: secrets,
    /** of each webhook destination: an event is signed with all of them */
    webhookSecrets: Type.Object({ payments: secrets, accounts: secrets }, { additionalProperties: false }),
  },
  { additionalProperties: false },
)
export type CredentialSettings = Static<typeof credentialSettings>

/** The keys of the platform, and the secrets of its webhook destinations. */
export interface Credentials {
  current(): CredentialSettings
  /** Replaces all of them at once: a key that is not listed is revoked. A restart has those of its configuration again. */
  replace(next: CredentialSettings): void
}

/** Begins with one key, and one secret for both destinations. */
export function openCredentials(secretKey: string, webhookSecret: string): Credentials {
  let present: CredentialSettings = {
    secretKeys: [secretKey],
    webhookSecrets: { payments: [webhookSecret], accounts: [webhookSecret] },
  }
  return { current: () => present, replace: (next) => void (present = next) }
}
