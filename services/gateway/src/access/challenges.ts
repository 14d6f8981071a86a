import { problem, type ProblemError } from '@frontdesk/problems'

const realm = 'Bearer realm="frontdesk"'

/** 401: nothing proves who calls. */
export function noProof(detail: string): ProblemError {
  return problem('unauthorized', { detail, headers: { 'www-authenticate': realm } })
}

/** 401: the token proves nothing (RFC 6750 section 3.1). `why` is a sentence of ASCII about the token. */
export function invalidToken(why: string, cause?: unknown): ProblemError {
  const challenge = `${realm}, error="invalid_token", error_description="${why}"`
  return problem('unauthorized', {
    detail: `The access token is refused: ${why}`,
    headers: { 'www-authenticate': challenge },
    cause,
  })
}

/** 403: the scope of the operation was not granted. */
export function insufficientScope(scope: string): ProblemError {
  const challenge = `${realm}, error="insufficient_scope", scope="${scope}"`
  return problem('scope_missing', {
    detail: `This takes the scope ${scope}.`,
    headers: { 'www-authenticate': challenge },
  })
}
