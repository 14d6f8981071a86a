import { Type, type Static } from 'typebox'
import { closed, DateTime, PageToken, Uuid } from './values.ts'

/**
 * How an act ended: it was done, the stored reply of an earlier request was sent again, it was refused, or it failed on our
 * side, so that its effect is not certain.
 */
export const AuditOutcome = Type.Enum(['Succeeded', 'Replayed', 'Refused', 'Failed'])
export type AuditOutcome = Static<typeof AuditOutcome>

/** An act on a site, as the audit trail has it. It never holds a secret. */
export const AuditEntry = Type.Object({
  EntryId: Uuid,
  RecordedAt: DateTime,
  /** The service that recorded it. */
  Service: Type.String(),
  Operation: Type.String(),
  Outcome: AuditOutcome,
  /** The code of the problem, if it was refused or failed. */
  Code: Type.Optional(Type.String()),
  /** `client:<id>`, `site:<slug>` for a site API key, or `visitor` for somebody who has only the onboarding link. */
  Principal: Type.String(),
  /** Which site API key it was. */
  SiteKeyId: Type.Optional(Type.String()),
  ClientAddress: Type.Optional(Type.String()),
  SiteSlug: Type.Optional(Type.String()),
  /** The site's owner. */
  OrganisationSlug: Type.Optional(Type.String()),
  /** The things that it was about, such as `payment:<RecordId>`. */
  Targets: Type.Array(Type.String()),
  RequestId: Type.Optional(Type.String()),
  TraceId: Type.Optional(Type.String()),
})
export type AuditEntry = Static<typeof AuditEntry>

const span = { RecordedFrom: Type.Optional(DateTime), RecordedTo: Type.Optional(DateTime) }

export const AuditQuery = Type.Object(
  {
    pageSize: Type.Integer({ minimum: 1, maximum: 250, default: 50 }),
    nextPageToken: Type.Optional(PageToken),
    ...span,
  },
  closed,
)
export type AuditQuery = Static<typeof AuditQuery>

export const AuditList = Type.Object({ Items: Type.Array(AuditEntry), NextPageToken: Type.Optional(Type.String()) })
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
