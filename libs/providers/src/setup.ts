/** Our needs of a provider's settings, for a check. */
export interface OwnSetup {
  /** The gateway's address as the provider sees it. */
  publicUrl: string
  /** Some accounts at the provider that are in use. */
  accounts: readonly string[]
}

/** One thing that a check of the provider's settings found. */
export interface SetupFinding {
  /** `fault`: payments, onboarding or webhooks do not work. `warning`: worth a look. */
  level: 'ok' | 'warning' | 'fault'
  /** The part of the settings: `webhooks of payments`. */
  about: string
  text: string
}
