import type { MediaType } from '@frontdesk/contracts'
import { problem } from '@frontdesk/problems'
import Negotiator from 'negotiator'

const json = ['application/json'] as const

/**
 * Returns the media type of the answer, of those that the operation has. Throws `not_acceptable` (406) if the caller accepts none of
 * them, and `media_type_unsupported` (415) if the body is not JSON. The service checks which JSON types an operation takes.
 */
export function checkMediaTypes(
  headers: { accept?: string | undefined; 'content-type'?: string | undefined },
  hasBody: boolean,
  available: readonly MediaType[] = json,
): MediaType {
  const chosen = acceptedType(headers.accept, available)
  if (chosen === undefined) throw problem('not_acceptable', `Accept ${available.join(' or ')}.`)
  if (hasBody && !isJson(headers['content-type'])) throw problem('media_type_unsupported', 'Send application/json.')
  return chosen
}

/**
 * Returns which of the available media types an `Accept` header prefers (RFC 9110 section 12.5.1), the first of equals; undefined if it
 * allows none. Parameters of a media type, such as a charset, do not count.
 */
export function acceptedType(
  accept: string | undefined,
  available: readonly MediaType[] = json,
): MediaType | undefined {
  // The usual values without the work.
  if (accept === undefined || accept === '*/*' || accept === available[0]) return available[0]
  const withoutParameters = accept.toLowerCase().replaceAll(/;(?!\s*q=)[^;,"]*("[^"]*")?/g, '')
  const chosen = new Negotiator({ headers: { accept: withoutParameters } }).mediaType([...available])
  return available.find((type) => type === chosen)
}

function isJson(contentType: string | undefined): boolean {
  const mediaType = contentType?.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  return mediaType === 'application/json' || /^application\/[\w.-]+\+json$/.test(mediaType)
}
