import { problem } from '@frontdesk/problems'

/**
 * Refuses a request whose answer could not be JSON (406), or whose body is not (415). Which JSON types an operation
 * takes is the service's to say.
 */
export function checkMediaTypes(
  headers: { accept?: string | undefined; 'content-type'?: string | undefined },
  hasBody: boolean,
): void {
  if (!acceptsJson(headers.accept)) throw problem('not_acceptable')
  if (hasBody && !isJson(headers['content-type'])) throw problem('media_type_unsupported', 'Send application/json.')
}

/** Whether an `Accept` header lets JSON through (RFC 9110 section 12.5.1): the most specific range decides. */
export function acceptsJson(accept: string | undefined): boolean {
  if (accept === undefined || accept === '*/*' || accept === 'application/json') return true
  let best = { specificity: -1, quality: 0 }
  for (const range of accept.split(',')) {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase())
    const specificity = ['*/*', 'application/*', 'application/json'].indexOf(type)
    if (specificity <= best.specificity) continue
    const weight = parameters.find((parameter) => parameter.startsWith('q='))
    best = { specificity, quality: weight === undefined ? 1 : Number(weight.slice(2)) }
  }
  return best.quality > 0
}

function isJson(contentType: string | undefined): boolean {
  const mediaType = contentType?.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  return mediaType === 'application/json' || /^application\/[\w.-]+\+json$/.test(mediaType)
}
