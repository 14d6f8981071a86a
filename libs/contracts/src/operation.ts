import { Type, type TObject, type TSchema } from 'typebox'
import type { Scope, ServiceName } from './enumerations.ts'
import { described } from './members.ts'
import { closed, Slug } from './values.ts'

/** The error categories of the interface ("Errors"). */
export type ErrorCategory =
  | 'Malformed Request'
  | 'Unauthorized'
  | 'Forbidden'
  | 'Not Found'
  | 'Unprocessable'
  | 'Too many requests'
  | 'User Error'
  | 'Server Error'

/** The media types of successes. */
export type MediaType = 'application/json' | 'text/csv'

export interface Operation {
  /** A few words, without a full stop. */
  summary: string
  /** Its effect, in sentences. */
  description: string
  method: 'GET' | 'POST' | 'DELETE' | 'PATCH'
  /** As in the interface, with `{Parameter}` segments. */
  path: string
  /** Its method in the client package: a group and a verb, which no other operation has. */
  clientMethod: `${string}.${string}`
  service: ServiceName
  scope: Scope
  /** With `site`, the path names a site by slug, and the site's API keys are accepted instead of a token. */
  level: 'management' | 'site'
  /** Whether a site-level operation refuses the site's API keys. */
  clientsOnly?: boolean
  params: TObject
  query?: TObject
  body?: TSchema
  /** The accepted content types; `application/json` by default. A second one is for a body that is an array. */
  contentTypes?: readonly string[]
  /** The body's schema by success status. */
  responses: Record<number, TSchema>
  /** The media types of a success, among which `Accept` chooses; `application/json` alone by default. */
  mediaTypes?: readonly MediaType[]
  errors: readonly ErrorCategory[]
  /** The codes of the problems that this operation answers with, beside those that follow from the members of this table. */
  refusals: readonly string[]
  /** Deadline of the whole request, in milliseconds. */
  deadlineMs: number
  /** Whether the operation reads `X-Practice-Management-Software`. */
  practiceManagementSoftware?: boolean
  /** Whether the reply holds secrets: then it has `Cache-Control: no-store` and is stored encrypted for its key. */
  secret?: boolean
  /** Whether each request, also a refused one, leaves an entry in the audit trail (docs/decisions/033-audit-trail.md). */
  audited?: boolean
}

const always = [
  'Malformed Request',
  'Unauthorized',
  'Forbidden',
  'Too many requests',
  'User Error',
  'Server Error',
] as const

/** Sets of error categories that several operations share. */
export const errorCategories = {
  always,
  onEntity: [...always, 'Not Found'],
  onSite: [...always, 'Not Found', 'Unprocessable'],
} as const satisfies Record<string, readonly ErrorCategory[]>

/** The refusals of every operation that asks a payment provider. */
export const asksProvider = ['provider_not_available', 'provider_credentials', 'provider_unavailable'] as const

export const NoParams = Type.Object({}, closed)
/** The slug of a site in a path. */
export const SiteParam = described(Slug, 'The slug of the site.')
export const BySite = Type.Object({ SiteSlug: SiteParam }, closed)
