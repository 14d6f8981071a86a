import { Type, type TObject, type TSchema } from 'typebox'
import type { Scope, ServiceName } from './enumerations.ts'
import { closed, Slug } from './values.ts'

/** The interface's error categories ("Errors"). */
export type ErrorCategory =
  | 'Malformed Request'
  | 'Unauthorized'
  | 'Forbidden'
  | 'Not Found'
  | 'Unprocessable'
  | 'Too many requests'
  | 'User Error'
  | 'Server Error'

export interface Operation {
  summary: string
  method: 'GET' | 'POST' | 'DELETE' | 'PATCH'
  /** With `{Parameter}` segments, as in the interface. */
  path: string
  service: ServiceName
  scope: Scope
  /** `site`: the path names a site by slug, and its API keys are accepted instead of a token. */
  level: 'management' | 'site'
  params: TObject
  query?: TObject
  body?: TSchema
  /** What the body may be sent as; `application/json` where absent. A second one is for a body that is an array. */
  contentTypes?: readonly string[]
  /** By success status. */
  responses: Record<number, TSchema>
  errors: readonly ErrorCategory[]
  /** The whole request, in milliseconds (design section 5). */
  deadlineMs: number
  /** Whether `X-Practice-Management-Software` is read. */
  practiceManagementSoftware?: boolean
  /** Whether the body must be there. Absent: yes, where `body` is. */
  bodyOptional?: boolean
  /** `Cache-Control: no-store`, and an idempotent reply is stored encrypted. */
  secret?: boolean
}

const always = [
  'Malformed Request',
  'Unauthorized',
  'Forbidden',
  'Too many requests',
  'User Error',
  'Server Error',
] as const

/** The error categories that operations share (interface "Errors"). */
export const errorCategories = {
  always,
  onEntity: [...always, 'Not Found'],
  onSite: [...always, 'Not Found', 'Unprocessable'],
} as const satisfies Record<string, readonly ErrorCategory[]>

export const NoParams = Type.Object({}, closed)
export const BySite = Type.Object({ SiteSlug: Slug }, closed)
