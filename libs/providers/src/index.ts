export {
  isProviderError,
  ProviderMisconfigured,
  providerProblem,
  ProviderRefused,
  ProviderUnavailable,
} from './errors.ts'
export type {
  AccountOrder,
  CheckoutKey,
  CheckoutOrder,
  CheckoutRequest,
  Provider,
  ProviderAccount,
  ProviderCheckout,
  Providers,
} from './port.ts'
export { enabledProvider, openProviders } from './providers.ts'
export { queuedEvent, verifyReceived, type ReceivedWebhook } from './received-webhooks.ts'
export { configuredProviders, providerSettings } from './settings.ts'
