import { problem } from '@frontdesk/problems'
import Negotiator from 'negotiator'

/**
 * Throws `not_acceptable` (406) if the answer may not be JSON, and `media_type_unsupported` (415) if the body is not. The
 * service checks which JSON types an operation takes.
 */
export function checkMediaTypes(
  headers: { accept?: string | undefined; 'content-type'?: string | undefined },
  hasBody: boolean,
): void {
  if (!acceptsJson(headers.accept)) throw problem('not_acceptable')
  if (hasBody && !isJson(headers['content-type'])) throw problem('media_type_unsupported', 'Send application/json.')
}

/** Whether an `Accept` header allows JSON (RFC 9110 section 12.5.1). Parameters of a media type, such as a charset, do not count. */
export function acceptsJson(accept: string | undefined): boolean {
  // The usual values without the work.
  if (accept === undefined || accept === '*/*' || accept === 'application/json') return true
  const withoutParameters = accept.toLowerCase().replaceAll(/;(?!\s*q=)[^;,"]*("[^"]*")?/g, '')
  return new Negotiator({ headers: { accept: withoutParameters } }).mediaType(['application/json']) !== undefined
}

function isJson(contentType: string | undefined): boolean {
  const mediaType = contentType?.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  return mediaType === 'application/json' || /^application\/[\w.-]+\+json$/.test(mediaType)
}
