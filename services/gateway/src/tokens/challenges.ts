import { problem, type ProblemError } from '@frontdesk/problems'

const realm = 'Bearer realm="frontdesk"'

/** 401: the request has no credential that is accepted here. */
export function noCredential(detail: string): ProblemError {
  return problem('unauthorized', { detail, headers: { 'www-authenticate': realm } })
}

/** 401: the token is not valid (RFC 6750 section 3.1). `why` is a sentence in ASCII. */
export function invalidToken(why: string, cause?: unknown): ProblemError {
  const challenge = `${realm}, error="invalid_token", error_description="${why}"`
  return problem('unauthorized', {
    detail: `The access token is refused: ${why}`,
    headers: { 'www-authenticate': challenge },
    cause,
  })
}

/** 403: the caller lacks the operation's scope. */
export function insufficientScope(scope: string): ProblemError {
  const challenge = `${realm}, error="insufficient_scope", scope="${scope}"`
  return problem('scope_missing', {
    detail: `This takes the scope ${scope}.`,
    headers: { 'www-authenticate': challenge },
  })
}
