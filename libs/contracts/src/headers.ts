import { Type } from 'typebox'
import { described } from './members.ts'
import { PracticeManagementSoftware } from './enumerations.ts'

/** The request headers that operations read, by name. */
export const requestHeaders = {
  'Idempotency-Key': Type.String({
    minLength: 1,
    maxLength: 255,
    pattern: '^[\\x20-\\x7e]+$',
    description:
      'Makes the request safe to repeat for 24 hours: any text that is new for each thing that you want done.',
  }),
  'X-Practice-Management-Software': described(
    PracticeManagementSoftware,
    'The practice management system that is meant, if you have access to several.',
  ),
} as const

/** The header `X-Practice-Management-Software` of a request that creates a site. */
export const systemOfNewSite = described(
  PracticeManagementSoftware,
  'The practice management system that the site belongs to. Required if your client has access to several.',
)
