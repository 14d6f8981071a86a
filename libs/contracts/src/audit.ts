import { Type, type Static } from 'typebox'
import { pageOf, paging } from './paging.ts'
import { described, enumeration, told } from './members.ts'
import { closed, DateTime, Uuid } from './values.ts'

export const AuditOutcome = enumeration('How an act ended.', {
  Succeeded: 'It was done.',
  Replayed: 'The stored reply of an earlier request was sent again.',
  Refused: 'It was refused.',
  Failed: 'It failed on our side, so that its effect is not certain.',
})
export type AuditOutcome = Static<typeof AuditOutcome>

/** An act on a site, as the audit trail has it. It never holds a secret. */
export const AuditEntry = Type.Object(
  {
    EntryId: described(Uuid, 'The id of the entry.'),
    RecordedAt: described(DateTime, 'When it was recorded.'),
    Service: told('The service that recorded it.'),
    Operation: told('The operation, by its `operationId` in this document.'),
    Outcome: AuditOutcome,
    Code: Type.Optional(told('The code of the problem, if it was refused or failed.')),
    Principal: told(
      '`client:<id>`, `site:<slug>` for a site API key, or `visitor` for somebody who has only the onboarding link.',
    ),
    SiteKeyId: Type.Optional(told('Which site API key it was, by its id.')),
    ClientAddress: Type.Optional(told('The IP address from which the request came.')),
    SiteSlug: Type.Optional(told('The slug of the site.')),
    OrganisationSlug: Type.Optional(told("The slug of the site's owner.")),
    Targets: Type.Array(Type.String(), {
      description: 'The things that it was about, such as `payment:<RecordId>`.',
    }),
    RequestId: Type.Optional(told('The `X-Request-Id` of the request.')),
    TraceId: Type.Optional(told('The id of the trace of the request, as in the `traceId` of a problem.')),
  },
  { description: 'An act on a site. It never holds a secret.' },
)
export type AuditEntry = Static<typeof AuditEntry>

const span = {
  RecordedFrom: Type.Optional(described(DateTime, 'Only entries that were recorded at this time or later.')),
  RecordedTo: Type.Optional(described(DateTime, 'Only entries that were recorded before this time.')),
}

export const AuditQuery = Type.Object({ ...paging, ...span }, closed)
export type AuditQuery = Static<typeof AuditQuery>

export const AuditList = pageOf(AuditEntry, 'A page of the audit trail.')
export type AuditList = Static<typeof AuditList>

/** A page of one service's part of the audit trail: entries of the span before the entry of `BeforeTime` and `BeforeId`. */
export const AuditPartQuery = Type.Object(
  {
    limit: Type.Integer({ minimum: 1, maximum: 251 }),
    ...span,
    BeforeTime: Type.Optional(DateTime),
    BeforeId: Type.Optional(Uuid),
  },
  closed,
)
export type AuditPartQuery = Static<typeof AuditPartQuery>
