// Printed by `npm run print-contracts`: do not edit.
/** The codes of Frontdesk's problems as they are today. */
export type ProblemCode =
  // 400: The request is malformed.
  | 'malformed_request'
  // 400: The body is not valid JSON.
  | 'malformed_json'
  // 400: The Idempotency-Key is malformed.
  | 'idempotency_key_malformed'
  // 400: This practice management software is not known.
  | 'practice_management_software_unknown'
  // 400: You must send X-Practice-Management-Software.
  | 'practice_management_software_required'
  // 400: The page token is not valid for this request: start again without one.
  | 'page_token_invalid'
  // 400: The provider's signature is not valid.
  | 'provider_signature_invalid'
  // 401: Proof of identity must be provided.
  | 'unauthorized'
  // 403: Insufficient permissions.
  | 'forbidden'
  // 403: Your credentials lack the scope of this operation.
  | 'scope_missing'
  // 403: No access to this practice management software.
  | 'practice_management_software_forbidden'
  // 404: This address does not exist.
  | 'route_not_found'
  // 404: This site does not exist.
  | 'site_not_found'
  // 404: This payment does not exist.
  | 'payment_not_found'
  // 404: This refund does not exist.
  | 'refund_not_found'
  // 404: This payment provider account does not exist.
  | 'account_not_found'
  // 404: There is no subscription: subscribe first.
  | 'subscription_not_found'
  // 404: You have not recovered deliveries yet.
  | 'recovery_not_found'
  // 404: This delivery does not exist.
  | 'delivery_not_found'
  // 404: The onboarding link is not valid or has expired: request a new one.
  | 'onboarding_link_invalid'
  // 405: This address does not support the method.
  | 'method_not_allowed'
  // 408: Your request did not arrive in time.
  | 'request_timeout'
  // 406: Nothing that you accept is available.
  | 'not_acceptable'
  // 409: The request conflicts with the current state.
  | 'conflict'
  // 409: A request with this Idempotency-Key is still running: retry later.
  | 'idempotency_key_in_use'
  // 409: Another site of this practice management system has this id.
  | 'pms_specific_id_taken'
  // 413: The body is too large.
  | 'body_too_large'
  // 414: The address is too long.
  | 'uri_too_long'
  // 415: The content type is not supported.
  | 'media_type_unsupported'
  // 431: The headers are too large.
  | 'headers_too_large'
  // 422: This organisation does not exist or is not yours.
  | 'organisation_unknown'
  // 422: You must name one of your organisations.
  | 'organisation_required'
  // 422: This Idempotency-Key was used for another request: use a new one.
  | 'idempotency_key_reused'
  // 422: A payment needs at least one line item.
  | 'line_items_required'
  // 422: The amount is below the minimum.
  | 'amount_too_small'
  // 422: The amount is above the maximum.
  | 'amount_too_large'
  // 422: The provider does not support this currency.
  | 'currency_unsupported'
  // 422: The provider cannot charge this amount in this currency.
  | 'amount_not_representable'
  // 422: The statement descriptor has characters the provider refuses.
  | 'statement_descriptor_refused'
  // 422: This payment provider is not enabled.
  | 'provider_not_available'
  // 422: The site has no account at this provider that can take payments.
  | 'provider_account_not_ready'
  // 422: The payment provider refused the request.
  | 'provider_rejected'
  // 422: The payment provider does not support this UI mode.
  | 'ui_mode_unsupported'
  // 422: The payment was declined.
  | 'declined'
  // 422: The site does not accept new payments.
  | 'site_suspended'
  // 422: The payment can no longer be cancelled.
  | 'payment_not_cancellable'
  // 422: The payment cannot be refunded.
  | 'payment_not_refundable'
  // 422: The refund is larger than what is left of the payment.
  | 'refund_too_large'
  // 422: Practices cannot be sent back to this URL.
  | 'return_url_refused'
  // 422: The account has open payments: cancel them or let them end.
  | 'account_has_open_payments'
  // 422: The provider does not allow this account to be deleted.
  | 'account_not_deletable'
  // 422: You cannot subscribe to this event type.
  | 'event_type_unknown'
  // 422: You must give a URL to deliver to.
  | 'webhook_url_missing'
  // 422: Deliveries to this URL are not allowed.
  | 'webhook_url_refused'
  // 422: You cannot set this header on deliveries.
  | 'webhook_header_refused'
  // 422: The credential that made the subscription has ended: subscribe again.
  | 'subscription_paused'
  // 422: The event cannot be published.
  | 'event_refused'
  // 422: The delivery cannot be sent again.
  | 'delivery_not_redeliverable'
  // 429: Too many requests.
  | 'rate_limited'
  // 500: Something went wrong on our side.
  | 'internal_error'
  // 502: The payment provider refused our credentials.
  | 'provider_credentials'
  // 502: One of our services gave no valid answer.
  | 'upstream_failed'
  // 503: The service is not available right now: try again later.
  | 'service_unavailable'
  // 503: The payment provider is not available right now: try again later.
  | 'provider_unavailable'
  // 503: The outcome at the payment provider is not known yet.
  | 'provider_outcome_unknown'
  // 503: The service is overloaded: try again later.
  | 'overloaded'
  // 504: The request took too long.
  | 'deadline_exceeded'
