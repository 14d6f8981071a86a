export {
  isProviderError,
  ProviderMisconfigured,
  ProviderOutcomeUnknown,
  providerProblem,
  ProviderRefused,
  ProviderUnavailable,
  type ProviderError,
  type RefusalReason,
} from './errors.ts'
export type {
  AccountOrder,
  CheckoutKey,
  CheckoutOrder,
  CheckoutRequest,
  OnboardingLink,
  OnboardingSession,
  Provider,
  ProviderAccount,
  ProviderCheckout,
  ProviderEvent,
  Providers,
} from './port.ts'
export { enabledProvider, openProviders, type ProviderConfig } from './providers.ts'
export { queuedEvent, verifyReceived, type ReceivedWebhook } from './received-webhooks.ts'
export { configuredProviders, providerSettings } from './settings.ts'
export type { ProviderLog } from './telemetry.ts'
