import { Type, type Static, type TObject, type TSchema } from 'typebox'
import { AuditEntry, AuditPartQuery } from './audit.ts'
import {
  AccountStatus,
  PaymentProvider,
  PaymentStatus,
  PracticeManagementSoftware,
  SiteStatus,
  type ServiceName,
} from './enumerations.ts'
import { events } from './events.ts'
import { closed, DateTime, Slug, Uuid } from './values.ts'

/** The facts of a site by which the gateway admits a request; it puts them into the internal token. */
export const SiteAccess = Type.Object({
  slug: Slug,
  name: Type.String(),
  practiceManagementSystem: PracticeManagementSoftware,
  pmsSpecificId: Type.String(),
  owningOrganisation: Slug,
  billingOrganisation: Slug,
  status: SiteStatus,
  currency: Type.Optional(Type.String()),
  country: Type.Optional(Type.String()),
  emailAddress: Type.Optional(Type.String()),
  phoneNumber: Type.Optional(Type.String()),
  webhookUrl: Type.Optional(Type.String()),
})
export type SiteAccess = Static<typeof SiteAccess>

export interface InternalOperation {
  method: 'GET' | 'POST'
  path: string
  service: ServiceName
  /** The services whose tokens are accepted. */
  callers: readonly ServiceName[]
  params: TObject
  query?: TObject
  /** With `bytes`, the handler gets the unparsed body as a Buffer. */
  body?: TSchema | 'bytes'
  response: TSchema
  deadlineMs: number
}

/** The answer to a provider's webhook: an empty object, unless the provider wants a certain body. */
const WebhookAnswer = Type.Object({
  reply: Type.Optional(Type.Object({ contentType: Type.String(), body: Type.String() })),
})
/** The signed part of an address of ours that a person opens. */
const TokenParam = Type.Object({ Token: Type.String({ minLength: 1, maxLength: 2048 }) }, closed)
const ProviderParam = Type.Object({ Provider: PaymentProvider }, closed)

/**
 * The clients that may have subscriptions, with the rights that these need: a part of the list, in the order of the ids. A client
 * of the part that is not named has no right, or is gone.
 */
export const ClientRights = Type.Object(
  {
    /** The part begins after this id; absent: with the first. */
    after: Type.Optional(Type.String()),
    /** The part ends with this id; absent: with the last. */
    upTo: Type.Optional(Type.String()),
    clients: Type.Array(
      Type.Object(
        {
          id: Type.String(),
          practiceManagementSystems: Type.Array(Type.String()),
          /** The only organisations that the client may touch; absent: all. */
          organisations: Type.Optional(Type.Array(Type.String())),
        },
        closed,
      ),
    ),
  },
  closed,
)
export type ClientRights = Static<typeof ClientRights>

const received = 'received-'
type Headers = Readonly<Record<string, string | string[] | undefined>>

/** Returns the headers of a provider's webhook under the names by which they go with the internal call. */
export function passedOn(headers: Headers): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => {
      if (value === undefined) return []
      const text = String(value)
      // The bare signature is for a service of the release before.
      return name.endsWith('-signature')
        ? [
            [name, text],
            [received + name, text],
          ]
        : [[received + name, text]]
    }),
  )
}

/** Returns the headers of a provider's webhook out of those of the internal call, under their own names. */
export function receivedHeaders(headers: Headers): Record<string, string | string[] | undefined> {
  const own = Object.entries(headers).filter(([name]) => name.endsWith('-signature') || name.startsWith(received))
  return Object.fromEntries(
    own.map(([name, value]) => [name.startsWith(received) ? name.slice(received.length) : name, value]),
  )
}

/** A service's own part of the audit trail of a site, newest first. The gateway puts the parts together. */
const auditPart = {
  method: 'GET',
  path: '/internal/sites/{SiteSlug}/audit',
  callers: ['gateway'],
  params: Type.Object({ SiteSlug: Slug }, closed),
  query: AuditPartQuery,
  response: Type.Array(AuditEntry),
  deadlineMs: 4_000,
} as const

/** Calls between our own services, authorised by internal tokens. They cannot be reached through the gateway. */
export const internalOperations = {
  resolveSite: {
    method: 'GET',
    path: '/internal/sites/{SiteSlug}',
    service: 'registry',
    callers: ['gateway'],
    params: Type.Object({ SiteSlug: Slug }, closed),
    response: SiteAccess,
    deadlineMs: 2_000,
  },
  resolveSiteKey: {
    method: 'GET',
    path: '/internal/site-keys/{KeyHash}',
    service: 'registry',
    callers: ['gateway'],
    params: Type.Object({ KeyHash: Type.String({ pattern: '^[0-9a-f]{64}$' }) }, closed),
    response: SiteAccess,
    deadlineMs: 2_000,
  },
  endSiteKey: {
    method: 'POST',
    path: '/internal/sites/{SiteSlug}/site-keys/{SiteKeyId}/end',
    service: 'webhook-delivery',
    callers: ['registry'],
    params: Type.Object({ SiteSlug: Slug, SiteKeyId: Uuid }, closed),
    response: Type.Object({ pausedSubscriptions: Type.Integer() }),
    deadlineMs: 1_500,
  },
  tellClientRights: {
    method: 'POST',
    path: '/internal/clients/rights',
    service: 'webhook-delivery',
    callers: ['gateway'],
    params: Type.Object({}, closed),
    body: ClientRights,
    response: Type.Object({ paused: Type.Integer(), resumed: Type.Integer() }),
    deadlineMs: 10_000,
  },
  getAccountState: {
    method: 'GET',
    path: '/internal/sites/{SiteSlug}/accounts/{Provider}',
    service: 'accounts',
    callers: ['payments'],
    params: Type.Object({ SiteSlug: Slug, Provider: PaymentProvider }, closed),
    response: events['account.updated'].data,
    deadlineMs: 2_000,
  },
  countOpenPayments: {
    method: 'GET',
    path: '/internal/sites/{SiteSlug}/open-payments/{Provider}',
    service: 'payments',
    callers: ['accounts'],
    params: Type.Object({ SiteSlug: Slug, Provider: PaymentProvider }, closed),
    response: Type.Object({ open: Type.Integer() }),
    deadlineMs: 2_000,
  },
  mintOnboardingLink: {
    method: 'POST',
    path: '/internal/onboarding/{Token}',
    service: 'accounts',
    callers: ['gateway'],
    params: TokenParam,
    response: Type.Object({ url: Type.String() }),
    deadlineMs: 10_000,
  },
  /** The content of our page after onboarding. */
  getOnboarding: {
    method: 'GET',
    path: '/internal/onboarding/{Token}',
    service: 'accounts',
    callers: ['gateway'],
    params: TokenParam,
    response: Type.Object({ siteSlug: Slug, status: AccountStatus, returnUrl: Type.Optional(Type.String()) }),
    deadlineMs: 5_000,
  },
  /** The content of our page after a hosted checkout. */
  getCheckoutOutcome: {
    method: 'GET',
    path: '/internal/checkouts/{Token}',
    service: 'payments',
    callers: ['gateway'],
    params: TokenParam,
    response: Type.Object({
      siteSlug: Slug,
      status: PaymentStatus,
      amount: Type.Integer(),
      currency: Type.String(),
      refundedAmount: Type.Integer(),
      reference: Type.Optional(Type.String()),
      paidAt: Type.Optional(DateTime),
    }),
    deadlineMs: 5_000,
  },
  receivePaymentWebhook: {
    method: 'POST',
    path: '/internal/providers/{Provider}/webhooks/payments',
    service: 'payments',
    callers: ['gateway'],
    params: ProviderParam,
    body: 'bytes',
    response: WebhookAnswer,
    deadlineMs: 5_000,
  },
  receiveAccountWebhook: {
    method: 'POST',
    path: '/internal/providers/{Provider}/webhooks/accounts',
    service: 'accounts',
    callers: ['gateway'],
    params: ProviderParam,
    body: 'bytes',
    response: WebhookAnswer,
    deadlineMs: 5_000,
  },
  listRegistryAudit: { ...auditPart, service: 'registry' },
  listAccountsAudit: { ...auditPart, service: 'accounts' },
  listPaymentsAudit: { ...auditPart, service: 'payments' },
  listWebhookDeliveryAudit: { ...auditPart, service: 'webhook-delivery' },
} as const satisfies Record<string, InternalOperation>

export type InternalOperations = typeof internalOperations
export type InternalOperationId = keyof InternalOperations
export type InternalOperationsOf<S extends ServiceName> = {
  [Id in InternalOperationId]: InternalOperations[Id]['service'] extends S ? Id : never
}[InternalOperationId]
export type InternalParams<Id extends InternalOperationId> = Static<InternalOperations[Id]['params']>
export type InternalBody<Id extends InternalOperationId> = InternalOperations[Id] extends { body: 'bytes' }
  ? Buffer
  : InternalOperations[Id] extends { body: infer B extends TSchema }
    ? Static<B>
    : undefined
export type InternalQuery<Id extends InternalOperationId> = InternalOperations[Id] extends {
  query: infer Q extends TSchema
}
  ? Static<Q>
  : undefined
export type InternalReply<Id extends InternalOperationId> = Static<InternalOperations[Id]['response']>
