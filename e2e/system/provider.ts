import { SystemFault } from './fault.ts'

/** The control API of the sandbox provider: what people, banks and networks do there (docs/sandbox.md). */
export interface Provider {
  /** Base URL of the sandbox provider; empty if there is none. */
  url: string
  /** Posts to the control API. Throws ControlRefused unless the answer is 204. */
  control(path: string, body?: object): Promise<void>
  /** Does what a customer or a bank does with a checkout: `pay`, `decline`, `expire`, ... */
  atCheckout(paymentId: string, action: string): Promise<void>
  /** Sets the faults of the provider's API and webhooks; `{}` removes them. */
  setFaults(faults: object): Promise<void>
  /** Returns how often each fault was met, by place. */
  faultsMet(): Promise<FaultsMet>
  /** Returns how often the provider's API was called in the last seconds, at most 600. */
  calls(seconds: number): Promise<CallCounts>
  /** Returns every checkout that the provider has made, with its charges. */
  ledger(): Promise<LedgerEntry[]>
  /** Returns the checkouts that were made for one payment. */
  ledgerOf(recordId: string): Promise<LedgerEntry[]>
}

export interface FaultsMet {
  api: Record<string, number>
  webhooks: Record<string, number>
}

export interface CallCounts {
  calls: number
  /** The most in any second, wherever it begins. */
  mostInASecond: number
  /** The oldest first. */
  perSecond: number[]
}

/** A checkout in the provider's own ledger. */
export interface LedgerEntry {
  paymentId: string
  /** ISO 8601. */
  createdAt?: string
  /** The RecordId of the payment. */
  reference: string | null
  status: 'open' | 'complete' | 'expired'
  paymentStatus: 'paid' | 'unpaid'
  intentStatus: string | null
  amount: number
  charges: LedgerCharge[]
}

/** An attempt to pay. Amounts are in the provider's smallest unit, refunds and disputes oldest first. */
export interface LedgerCharge {
  status: string
  amount: number
  /** The sum of the refunds that have not failed. */
  amountRefunded: number
  /** The fee that the platform took, and what it has given back. */
  fee: number
  feeReturned: number
  /** `refundId` is null for a refund from the provider's dashboard. */
  refunds: { id: string; refundId: string | null; status: string; amount: number; feeReturned: number }[]
  /** Status of the newest dispute. */
  disputeStatus: string | null
  disputes: { id: string; status: string; amount: number }[]
}

/** Thrown when the control API answers other than 204. */
export class ControlRefused extends SystemFault {
  override name = 'ControlRefused'
  readonly status: number

  constructor(path: string, status: number, text: string) {
    super(`the sandbox answered ${status} to ${path}: ${text}`)
    this.status = status
  }
}

/** Opens the control API of the sandbox provider at an address; without one, every call throws SystemFault. */
export function openProvider(sandbox: string | undefined): Provider {
  async function request(path: string, init?: RequestInit): Promise<Response> {
    if (sandbox === undefined) throw new SystemFault('This system has no sandbox provider.')
    return fetch(`${sandbox}/_control/${path}`, init)
  }
  async function control(path: string, body?: object): Promise<void> {
    const json = { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
    const response = await request(path, { method: 'POST', ...(body !== undefined && json) })
    const text = await response.text()
    if (response.status !== 204) throw new ControlRefused(path, response.status, text)
  }
  async function ledger(): Promise<LedgerEntry[]> {
    const entries: LedgerEntry[] = []
    for (;;) {
      const response = await request(`ledger?after=${entries.at(-1)?.paymentId ?? ''}`)
      const page = (await response.json()) as { checkouts: LedgerEntry[] }
      if (page.checkouts.length === 0) return entries
      entries.push(...page.checkouts)
    }
  }
  return {
    url: sandbox ?? '',
    control,
    atCheckout: (paymentId, action) => control(`checkouts/${paymentId}/${action}`),
    setFaults: (faults) => control('faults', faults),
    faultsMet: async () => (await (await request('faults/met')).json()) as FaultsMet,
    calls: async (seconds) => (await (await request(`calls?seconds=${seconds}`)).json()) as CallCounts,
    ledger,
    ledgerOf: async (recordId) => (await ledger()).filter(({ reference }) => reference === recordId),
  }
}
