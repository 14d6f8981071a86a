/** Why a request brought no answer. */
export type FailureReason = 'timeout' | 'dns' | 'tls' | 'connection' | 'address_refused'

/** The result of one request to a receiver. */
export type Reply =
  | { kind: 'answer'; status: number; retryAfter: string | undefined; body: Buffer | undefined }
  | { kind: 'failure'; reason: FailureReason; message: string }

/** The meaning of a reply (interface "Delivery response semantics"). */
export type Meaning = 'accepted' | 'rejected' | 'gone' | 'throttled' | 'later' | 'failed'

/** The meaning of a reply by its status; every request without an answer has failed. */
export function meaningOf(reply: Reply): Meaning {
  if (reply.kind === 'failure') return 'failed'
  if (reply.status >= 200 && reply.status < 300) return 'accepted'
  switch (reply.status) {
    case 429:
      return 'throttled'
    case 503:
      return 'later'
    case 413:
    case 415:
    case 422:
      return 'rejected'
    case 410:
      return 'gone'
    default:
      return 'failed'
  }
}
