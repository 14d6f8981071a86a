import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient, verifyWebhook, type FrontdeskClient } from '@frontdesk/client'
import type { Envelope } from '@frontdesk/contracts'
import { eventually, openReceiver, type Receiver } from '@frontdesk/testing'
import { startDevStack, type DevStack } from '@frontdesk/dev-stack'

export interface System extends AsyncDisposable {
  constellation: DevStack
  /** The `demo` client at the gateway. */
  frontdesk: FrontdeskClient
  /** What a patient or a practice does at the provider, or, with a body, what goes wrong there (docs/sandbox.md). */
  control(path: string, body?: object): Promise<void>
  /** The checkouts that the provider has made for a payment, and what they were charged. */
  ledgerOf(recordId: string): Promise<LedgerEntry[]>
}

/** What the provider itself has on its books about a checkout. */
export interface LedgerEntry {
  paymentId: string
  reference: string | null
  paymentStatus: string
  charges: { status: string }[]
}

export type { FrontdeskClient }

/** Starts the whole system, every part a process, in a home that is thrown away. `env`: more settings by service. */
export async function startSystem(env: Record<string, Record<string, string>> = {}): Promise<System> {
  const home = await mkdtemp(join(tmpdir(), 'frontdesk-e2e-'))
  const log: string[] = []
  const constellation = await startDevStack({
    home,
    env,
    onLine(part, line) {
      log.push(`${part} ${line}`)
      if (log.length > 20_000) log.shift()
    },
  }).catch((error: Error) => {
    throw new Error(`${error.message}\n${log.slice(-30).join('\n')}`, { cause: error })
  })
  return {
    constellation,
    frontdesk: clientOf(constellation, 'demo'),
    async control(path, body) {
      const json = { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
      const response = await fetch(`${constellation.dev.sandbox}/_control/${path}`, {
        method: 'POST',
        ...(body !== undefined && json),
      })
      if (response.status !== 204) throw new Error(`${path}: ${response.status} ${await response.text()}`)
    },
    async ledgerOf(recordId) {
      const page = await fetch(`${constellation.dev.sandbox}/_control/ledger`)
      const { checkouts } = (await page.json()) as { checkouts: LedgerEntry[] }
      return checkouts.filter(({ reference }) => reference === recordId)
    },
    async [Symbol.asyncDispose]() {
      await constellation[Symbol.asyncDispose]()
      await rm(home, { recursive: true, force: true })
    },
  }
}

/** A client of the development set at the gateway; `attempts` is how often a call is tried in all. */
export function clientOf({ dev }: DevStack, id: string, attempts = 6): FrontdeskClient {
  const client = dev.clients.find((one) => one.id === id)
  if (client === undefined) throw new Error(`no client ${id}`)
  return createClient({ baseUrl: dev.gateway, attempts, credentials: { clientId: id, clientSecret: client.secret } })
}

/** A site that can take payments, and a subscriber of all its payment events. */
export interface Practice extends AsyncDisposable {
  site: string
  accountId: string
  receiver: Receiver
  /** Creates a payment; returns our id and the provider's. */
  createPayment(reference?: string): Promise<{ recordId: string; paymentId: string }>
  /** The deliveries of a payment so far, their signatures checked. */
  deliveriesOf(recordId: string): { webhookId: string; event: Envelope }[]
}

/** Creates a site, onboards it and subscribes to its payment events. */
export async function openPractice({ frontdesk, control }: System): Promise<Practice> {
  const { Identity } = await frontdesk.createSite({ body: { Name: 'Harbour Street Dental', Currency: 'GBP' } })
  const site = Identity.SiteSlug
  const { account } = await frontdesk.createAccount({ SiteSlug: site, body: { paymentProvider: 'Sandbox' } })
  await control(`accounts/${account.externalAccountId}/complete`)
  await eventually(
    async () => {
      const { status } = await frontdesk.getAccount({ SiteSlug: site, AccountId: account.accountId })
      if (status !== 'Active') throw new Error(`the account is ${status}`)
    },
    { within: 15_000, every: 100 },
  )
  const receiver = await openReceiver()
  const { SigningSecret: secret = '' } = await frontdesk.subscribe({
    SiteSlug: site,
    body: { EventTypes: ['payment.*'], Url: receiver.url },
  })
  return {
    site,
    accountId: account.accountId,
    receiver,
    async createPayment(reference = 'INV-1') {
      const payment = await frontdesk.createPayment({
        SiteSlug: site,
        body: {
          PaymentProvider: 'Sandbox',
          Currency: 'GBP',
          Reference: reference,
          LineItems: [{ ProductName: 'Check-up', Price: 4_500 }],
        },
      })
      return { recordId: payment.RecordId, paymentId: payment.PaymentId ?? '' }
    },
    deliveriesOf(recordId) {
      return receiver.requests
        .map(({ body, headers }) => verifyWebhook({ body, headers, secret }))
        .filter(({ event }) => event.subject === recordId)
        .map(({ id, event }) => ({ webhookId: id, event }))
    },
    [Symbol.asyncDispose]: () => receiver[Symbol.asyncDispose](),
  }
}

/** Waits until a payment's one outcome was delivered, and says which it was. */
export async function outcomeOf(practice: Practice, recordId: string, within = 30_000): Promise<string> {
  return eventually(
    () => {
      const [first] = practice.deliveriesOf(recordId)
      if (first === undefined) throw new Error(`nothing was delivered for ${recordId}`)
      return first.event.type
    },
    { within, every: 50 },
  )
}
