import type { Pool } from '@frontdesk/database'
import { noParameters } from '../accounts/parameters.ts'
import { balanceOf, type Money, platformBalance } from '../accounts/store.ts'
import { accountToWire, seconds } from '../accounts/wire.ts'
import { type Api, apiVersion, ok } from '../api/gate.ts'
import { decodeParameters, expand, integer, text } from '../api/parameters.ts'
import type { Account, WebhookDestination } from '../db.ts'
import { destinationOf } from '../webhooks/store.ts'
import { type ApplicationFee, listFees } from './store.ts'

export interface PlatformRoutesDeps {
  pool: Pool
  /** addresses of the webhook destinations */
  addresses: Partial<Record<WebhookDestination, string>>
  enabledEvents: string[]
}

const feeListParameters = { charge: text(100), limit: integer(1, 100), starting_after: text(100), expand: expand() }
const listParameters = { limit: integer(1, 100), starting_after: text(100), expand: expand() }

/** The operations by which a platform checks its key, its webhook endpoints and its money. */
export function platformRoutes(api: Api, { pool, addresses, enabledEvents }: PlatformRoutesDeps): void {
  api.get('/account', async (call) => {
    decodeParameters(noParameters, call.form)
    return ok(call.account === undefined ? platformToWire() : accountToWire(call.account))
  })

  api.get('/balance', async (call) => {
    decodeParameters(noParameters, call.form)
    const money = call.account === undefined ? await platformBalance(pool) : await balanceOf(pool, call.account.id)
    return ok({ object: 'balance', available: money.map(moneyToWire), livemode: false, pending: [] })
  })

  api.get('/application_fees', async (call) => {
    const { charge, limit = 10, starting_after: after } = decodeParameters(feeListParameters, call.form)
    // A connected account takes no fees of others.
    const fees =
      call.account === undefined
        ? await listFees(pool, { charge, after: after && chargeOf(after), limit: limit + 1 })
        : []
    const data = fees.slice(0, limit).map(feeToWire)
    return ok({ object: 'list', data, has_more: fees.length > limit, url: '/v1/application_fees' })
  })

  api.get('/webhook_endpoints', async (call) => {
    const { limit = 10, starting_after: after } = decodeParameters(listParameters, call.form)
    // As at Stripe, endpoints that listen to connected accounts are the platform's own.
    const all = call.account === undefined ? endpointsToWire(addresses, enabledEvents) : []
    const rest = all.slice(all.findIndex(({ id }) => id === after) + 1)
    return ok({
      object: 'list',
      data: rest.slice(0, limit),
      has_more: rest.length > limit,
      url: '/v1/webhook_endpoints',
    })
  })
}

const platform: Account = {
  id: 'acct_1SandboxPlatform',
  standing: 'active',
  email: 'platform@sandbox.example',
  country: 'US',
  defaultCurrency: 'usd',
  businessType: 'company',
  businessName: 'Frontdesk sandbox platform',
  businessUrl: null,
  supportPhone: null,
  supportEmail: null,
  productDescription: null,
  merchantCategory: null,
  statementDescriptor: 'FRONTDESK SANDBOX',
  statementDescriptorPrefix: 'FRONTDESK',
  controller: { feesPayer: 'account', lossesPayments: 'stripe', dashboard: 'full', requirementCollection: 'stripe' },
  capabilities: ['card_payments', 'transfers'],
  metadata: {},
  paidOut: {},
  createdAt: new Date('2026-01-01T00:00:00Z'),
  deauthorizedAt: null,
  deletedAt: null,
}

function platformToWire(): object {
  return { ...accountToWire(platform), controller: { type: 'account' }, type: 'standard' }
}

function moneyToWire({ currency, amount }: Money): object {
  return { amount, currency, source_types: { card: amount } }
}

/** Returns the id of the charge whose fee has this id. */
function chargeOf(feeId: string): string {
  return feeId.replace(/^fee_/, 'ch_')
}

function feeToWire(fee: ApplicationFee): object {
  const id = fee.id.replace(/^ch_/, 'fee_')
  return {
    id,
    object: 'application_fee',
    account: fee.accountId,
    amount: fee.amount,
    amount_refunded: fee.returned,
    application: 'ca_sandbox',
    balance_transaction: null,
    charge: fee.id,
    created: seconds(fee.createdAt),
    currency: fee.currency,
    fee_source: { charge: fee.id, type: 'charge' },
    livemode: false,
    originating_transaction: null,
    refunded: fee.returned === fee.amount,
  }
}

function endpointsToWire(
  addresses: PlatformRoutesDeps['addresses'],
  enabledEvents: string[],
): { id: string; [member: string]: unknown }[] {
  return (['payments', 'accounts'] as const).flatMap((destination) => {
    const url = addresses[destination]
    if (url === undefined) return []
    return {
      id: `we_1Sandbox${destination}`,
      object: 'webhook_endpoint',
      api_version: apiVersion,
      application: null,
      created: seconds(platform.createdAt),
      description: null,
      enabled_events: enabledEvents.filter((type) => destinationOf(type) === destination),
      livemode: false,
      metadata: {},
      status: 'enabled',
      url,
    }
  })
}
