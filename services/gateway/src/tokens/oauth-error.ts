/** The error codes of RFC 6749 section 5.2 that client credentials can meet, and RFC 8707's. */
export type OAuthErrorCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'unsupported_grant_type'
  | 'invalid_scope'
  | 'invalid_target'

/** A refusal of the token endpoint, in the form that RFC 6749 gives it. */
export class OAuthError extends Error {
  readonly code: OAuthErrorCode

  constructor(code: OAuthErrorCode, description: string) {
    super(description)
    this.name = 'OAuthError'
    this.code = code
  }
}
