export type ApiErrorType = 'api_error' | 'card_error' | 'idempotency_error' | 'invalid_request_error'

export interface ApiErrorOptions {
  status?: number
  type?: ApiErrorType
  code?: string
  param?: string | undefined
  /** Further response headers, such as `Stripe-Rate-Limited-Reason`. */
  headers?: Record<string, string>
}

/** A refusal in Stripe's words. The error handler of the API writes it to the wire. */
export class ApiError extends Error {
  readonly status: number
  readonly type: ApiErrorType
  readonly code: string | undefined
  readonly param: string | undefined
  readonly headers: Record<string, string>

  constructor(message: string, options: ApiErrorOptions = {}) {
    super(message)
    this.name = 'ApiError'
    this.status = options.status ?? 400
    this.type = options.type ?? 'invalid_request_error'
    this.code = options.code
    this.param = options.param
    this.headers = options.headers ?? {}
  }
}

/** Returns a 400 `invalid_request_error`, for the caller to throw. */
export function invalidRequest(message: string, param?: string, code?: string): ApiError {
  return new ApiError(message, { param, ...(code && { code }) })
}

/** Returns the 404 for an object that does not exist or belongs to another account; Stripe does not say which. */
export function resourceMissing(kind: string, id: string, param = 'id'): ApiError {
  return new ApiError(`No such ${kind}: '${id}'`, { status: 404, code: 'resource_missing', param })
}

/** Returns the 403 for an account that the key cannot act on. */
export function accountInvalid(accountId: string): ApiError {
  return new ApiError(
    `The provided key does not have access to account '${accountId}' (or that account does not exist). ` +
      'Application access may have been revoked.',
    { status: 403, code: 'account_invalid' },
  )
}

/** Returns the body of an error response. */
export function errorBody(error: ApiError): object {
  return {
    error: {
      ...(error.code && {
        code: error.code,
        doc_url: `https://stripe.com/docs/error-codes/${error.code.replaceAll('_', '-')}`,
      }),
      message: error.message,
      ...(error.param !== undefined && { param: error.param }),
      type: error.type,
    },
  }
}
