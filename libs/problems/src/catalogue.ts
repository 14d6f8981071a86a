/**
 * Every problem that Frontdesk answers with. Codes are stable and never reused. The status decides the interface's error
 * category: 400 Malformed Request, 401 Unauthorized, 403 Forbidden, 404 Not Found, 422 Unprocessable, 429 Too many
 * requests, other 4xx User Error, 5xx Server Error.
 */
export const catalogue = {
  malformed_request: { status: 400, title: 'The request is malformed' },
  malformed_json: { status: 400, title: 'The body is not valid JSON' },
  idempotency_key_malformed: { status: 400, title: 'The Idempotency-Key is malformed' },
  practice_management_software_unknown: { status: 400, title: 'This practice management software is not known' },
  practice_management_software_required: { status: 400, title: 'You must send X-Practice-Management-Software' },
  page_token_invalid: { status: 400, title: 'The page token is not valid for this request: start again without one' },
  provider_signature_invalid: { status: 400, title: "The provider's signature is not valid" },

  // The interface itself words the next title, and that of `forbidden`.
  unauthorized: { status: 401, title: 'Proof of identity must be provided' },

  forbidden: { status: 403, title: 'Insufficient permissions' },
  scope_missing: { status: 403, title: 'Your credentials lack the scope of this operation' },
  practice_management_software_forbidden: { status: 403, title: 'No access to this practice management software' },

  route_not_found: { status: 404, title: 'This address does not exist' },
  site_not_found: { status: 404, title: 'This site does not exist' },
  payment_not_found: { status: 404, title: 'This payment does not exist' },
  refund_not_found: { status: 404, title: 'This refund does not exist' },
  account_not_found: { status: 404, title: 'This payment provider account does not exist' },
  subscription_not_found: { status: 404, title: 'There is no subscription: subscribe first' },
  recovery_not_found: { status: 404, title: 'You have not recovered deliveries yet' },
  delivery_not_found: { status: 404, title: 'This delivery does not exist' },
  onboarding_link_invalid: { status: 404, title: 'The onboarding link is not valid or has expired: request a new one' },

  method_not_allowed: { status: 405, title: 'This address does not support the method' },
  request_timeout: { status: 408, title: 'Your request did not arrive in time' },
  not_acceptable: { status: 406, title: 'Nothing that you accept is available' },
  conflict: { status: 409, title: 'The request conflicts with the current state' },
  idempotency_key_in_use: { status: 409, title: 'A request with this Idempotency-Key is still running: retry later' },
  pms_specific_id_taken: { status: 409, title: 'Another site of this practice management system has this id' },
  body_too_large: { status: 413, title: 'The body is too large' },
  uri_too_long: { status: 414, title: 'The address is too long' },
  media_type_unsupported: { status: 415, title: 'The content type is not supported' },
  headers_too_large: { status: 431, title: 'The headers are too large' },

  organisation_unknown: { status: 422, title: 'This organisation does not exist or is not yours' },
  organisation_required: { status: 422, title: 'You must name one of your organisations' },
  idempotency_key_reused: { status: 422, title: 'This Idempotency-Key was used for another request: use a new one' },
  line_items_required: { status: 422, title: 'A payment needs at least one line item' },
  amount_too_small: { status: 422, title: 'The amount is below the minimum' },
  amount_too_large: { status: 422, title: 'The amount is above the maximum' },
  currency_unsupported: { status: 422, title: 'The provider does not support this currency' },
  amount_not_representable: { status: 422, title: 'The provider cannot charge this amount in this currency' },
  statement_descriptor_refused: { status: 422, title: 'The statement descriptor has characters the provider refuses' },
  provider_not_available: { status: 422, title: 'This payment provider is not enabled' },
  provider_account_not_ready: { status: 422, title: 'The site has no account at this provider that can take payments' },
  provider_rejected: { status: 422, title: 'The payment provider refused the request' },
  ui_mode_unsupported: { status: 422, title: 'The payment provider does not support this UI mode' },
  declined: { status: 422, title: 'The payment was declined' },
  site_suspended: { status: 422, title: 'The site does not accept new payments' },
  payment_not_cancellable: { status: 422, title: 'The payment can no longer be cancelled' },
  payment_not_refundable: { status: 422, title: 'The payment cannot be refunded' },
  refund_too_large: { status: 422, title: 'The refund is larger than what is left of the payment' },
  return_url_refused: { status: 422, title: 'Practices cannot be sent back to this URL' },
  account_has_open_payments: { status: 422, title: 'The account has open payments: cancel them or let them end' },
  account_not_deletable: { status: 422, title: 'The provider does not allow this account to be deleted' },
  event_type_unknown: { status: 422, title: 'You cannot subscribe to this event type' },
  webhook_url_missing: { status: 422, title: 'You must give a URL to deliver to' },
  webhook_url_refused: { status: 422, title: 'Deliveries to this URL are not allowed' },
  webhook_header_refused: { status: 422, title: 'You cannot set this header on deliveries' },
  subscription_paused: { status: 422, title: 'The credential that made the subscription has ended: subscribe again' },
  event_refused: { status: 422, title: 'The event cannot be published' },
  delivery_not_redeliverable: { status: 422, title: 'The delivery cannot be sent again' },

  rate_limited: {
    status: 429,
    title: 'Too many requests',
    type: 'https://iana.org/assignments/http-problem-types#quota-exceeded',
  },

  internal_error: { status: 500, title: 'Something went wrong on our side' },
  provider_credentials: { status: 502, title: 'The payment provider refused our credentials' },
  upstream_failed: { status: 502, title: 'One of our services gave no valid answer' },
  service_unavailable: { status: 503, title: 'The service is not available right now: try again later' },
  provider_unavailable: { status: 503, title: 'The payment provider is not available right now: try again later' },
  provider_outcome_unknown: { status: 503, title: 'The outcome at the payment provider is not known yet' },
  overloaded: {
    status: 503,
    title: 'The service is overloaded: try again later',
    type: 'https://iana.org/assignments/http-problem-types#temporary-reduced-capacity',
  },
  deadline_exceeded: { status: 504, title: 'The request took too long' },
} as const satisfies Record<string, { status: number; title: string; type?: string }>

export type ProblemCode = keyof typeof catalogue
