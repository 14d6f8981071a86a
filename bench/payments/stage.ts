import { rounds, until } from '../harness/patience.ts'
import { openRemote, type RemoteProcess } from '../harness/remote.ts'
import { startSystem, type RunOptions, type System } from '../harness/system.ts'
import type { ReceiverMethods } from '../processes/receiver.ts'

const siteCount = 10

/** The system, and sites that can take payments and are subscribed to. */
export interface PaymentStage extends AsyncDisposable {
  system: System
  receiver: RemoteProcess<ReceiverMethods>
  /** Slugs. */
  sites: string[]
  /** From now on the provider answers payments so much later than it would. */
  delayProvider(milliseconds: number): Promise<void>
}

export const newPayment = {
  PaymentProvider: 'Sandbox',
  Currency: 'GBP',
  Reference: 'INV-1001',
  StatementDescriptor: 'HARBOUR ST DENTAL',
  FeeAmount: 50,
  LineItems: [{ ProductName: 'Check-up', Price: 4_500 }],
  SuccessUrl: 'https://harbour-street.example/thank-you',
  CancelUrl: 'https://harbour-street.example/back',
}

export async function openPaymentStage(options: Pick<RunOptions, 'settings'>): Promise<PaymentStage> {
  await using opened = new AsyncDisposableStack()
  const system = opened.use(await startSystem(options))
  const receiver = opened.use(openRemote<ReceiverMethods>('receiver.ts'))
  const [port] = await receiver.call.listen(1)
  const sites = await rounds(siteCount, () => openSite(system, `http://127.0.0.1:${port}/payments`))
  const owned = opened.move()
  return {
    system,
    receiver,
    sites,
    delayProvider: (ms) => control(system, 'faults', ms === 0 ? {} : { api: { slow: { rate: 1, ms } } }),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

/** Tells the provider's stand-in what a person, or the world, would do to it. */
async function control({ constellation }: System, path: string, body?: object): Promise<void> {
  const response = await fetch(`${constellation.dev.sandbox}/_control/${path}`, {
    method: 'POST',
    ...(body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  })
  if (response.status !== 204) throw new Error(`${path}: ${response.status} ${await response.text()}`)
}

/** A site with an active account, whose outcomes go to the receiver. */
async function openSite(system: System, url: string): Promise<string> {
  const { frontdesk } = system
  const { Identity } = await frontdesk.createSite({ body: { Name: 'Harbour Street Dental', Currency: 'GBP' } })
  const site = Identity.SiteSlug
  const { account } = await frontdesk.createAccount({ SiteSlug: site, body: { paymentProvider: 'Sandbox' } })
  await control(system, `accounts/${account.externalAccountId}/complete`)
  const isActive = async (): Promise<boolean> =>
    (await frontdesk.getAccount({ SiteSlug: site, AccountId: account.accountId })).status === 'Active'
  await until('the account is active', isActive, { within: 15_000, every: 50 })
  await frontdesk.subscribe({ SiteSlug: site, body: { EventTypes: ['payment.*'], Url: url } })
  return site
}
