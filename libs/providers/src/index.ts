export {
  isProviderError,
  isUnreadable,
  ProviderMisconfigured,
  ProviderOutcomeUnknown,
  providerProblem,
  ProviderRefused,
  ProviderUnavailable,
} from './errors.ts'
export type {
  AccountOrder,
  AccountRequest,
  CheckoutOrder,
  CheckoutRequest,
  RefundOrder,
  RefundRequest,
} from './orders.ts'
export type {
  Capabilities,
  CheckoutKey,
  CheckoutOrigin,
  ListedCheckout,
  PaidCheckout,
  Provider,
  ProviderAccount,
  ProviderCheckout,
  ProviderDispute,
  ProviderRefund,
  Providers,
  UnreadableCheckout,
  WebhookReply,
} from './port.ts'
export type { Priority } from './pacing/budget.ts'
export { roomForChecks } from './pacing/room.ts'
export { startSharingPace } from './pacing/sharing.ts'
export { replicaRetention } from './pacing/store.ts'
export { enabledProvider, openProviders } from './providers.ts'
export { queuedEvent, receivedWebhookRetention, verifyReceived, type ReceivedWebhook } from './received-webhooks.ts'
export { configuredProviders, providerSettings } from './settings.ts'
export type { OwnSetup, SetupFinding } from './setup.ts'
