import { ProviderRefused } from './errors.ts'
import type { Provider } from './port.ts'

/** Returns the provider, which refuses orders beyond its declared capabilities before it is called. */
export function withinCapabilities(provider: Provider): Provider {
  const { uiModes, refunds } = provider.capabilities
  return {
    ...provider,
    checkoutRequest(order) {
      if (!uiModes.includes(order.uiMode)) throw refused('/UiMode', `the provider offers ${uiModes.join(' and ')} only`)
      return provider.checkoutRequest(order)
    },
    refundRequest(order) {
      if (!refunds) throw refused('', 'the provider makes no refunds')
      return provider.refundRequest(order)
    },
  }
}

function refused(pointer: string, detail: string): ProviderRefused {
  return new ProviderRefused('provider_rejected', detail, { faults: [{ pointer, detail }] })
}
