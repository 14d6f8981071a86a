import { openOnboardedSite, paymentBody, subscribe } from '../../e2e/system/practice.ts'
import { startMeasuredSystem, type MeasuredSystem, type RunOptions } from '../harness/measured-system.ts'
import { openRemote, type RemoteProcess } from '../harness/remote.ts'
import { rounds } from '../harness/wait.ts'
import type { ReceiverMethods } from '../processes/receiver.ts'

const siteCount = 10

/** The system, with sites that can take payments, and a receiver that subscribes to their outcomes. */
export interface PaymentEnvironment extends AsyncDisposable {
  system: MeasuredSystem
  receiver: RemoteProcess<ReceiverMethods>
  /** Slugs. */
  sites: string[]
  /** Sets how many milliseconds the provider waits before each answer. */
  delayProvider(milliseconds: number): Promise<void>
}

export const newPayment = paymentBody({
  Reference: 'INV-1001',
  StatementDescriptor: 'HARBOUR ST DENTAL',
  FeeAmount: 50,
  SuccessUrl: 'https://harbour-street.example/thank-you',
  CancelUrl: 'https://harbour-street.example/back',
})

export async function openPaymentEnvironment(options: Pick<RunOptions, 'settings'>): Promise<PaymentEnvironment> {
  await using opened = new AsyncDisposableStack()
  const system = opened.use(await startMeasuredSystem(options))
  const receiver = opened.use(openRemote<ReceiverMethods>('receiver.ts'))
  const [origin] = await receiver.call.listen(1)
  const sites = await rounds(siteCount, async () => {
    const { site } = await openOnboardedSite(system)
    await subscribe(system.frontdesk, site.SiteSlug, `${origin}/payments`)
    return site.SiteSlug
  })
  const owned = opened.move()
  return {
    system,
    receiver,
    sites,
    delayProvider: (ms) => system.provider.setFaults(ms === 0 ? {} : { api: { slow: { rate: 1, ms } } }),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}
