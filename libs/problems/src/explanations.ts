import type { ProblemCode } from './catalogue.ts'

/** The documentation of a problem, for the person who meets it. Code goes between backticks. */
export interface Explanation {
  /** Why the answer came. */
  cause: string
  /** The way out. */
  remedy: string
}

const sendAgain = 'Send the same request again after `Retry-After`, with the same `Idempotency-Key`.'

/** The explanation of every code. The documentation prints it, and `type` of a problem is the address of its section. */
export const explanations: Readonly<Record<ProblemCode, Explanation>> = {
  malformed_request: {
    cause:
      'A parameter, a header or a member of the body is missing, unknown, or not of its type. Names are case-sensitive, and nothing in a body is converted.',
    remedy: '`errors` names each member at fault and what is wrong with it. Compare it with the API reference.',
  },
  malformed_json: {
    cause: 'The body is not JSON in UTF-8, or it has characters that no text can hold, such as `\\u0000`.',
    remedy: 'Let a JSON library write the body, and send `Content-Type: application/json`.',
  },
  idempotency_key_malformed: {
    cause: '`Idempotency-Key` has a form that is not allowed: it needs 1 to 255 printable ASCII characters.',
    remedy: 'Use a UUID, or an identifier of your own for what the request is about.',
  },
  practice_management_software_unknown: {
    cause:
      '`X-Practice-Management-Software` is no code of the catalogue, or the system is not enabled in this deployment.',
    remedy: 'Use a code of the list of practice management systems. Codes are case-sensitive.',
  },
  practice_management_software_required: {
    cause:
      'Your client has several practice management systems, so a new site or the id that a system gave to a site is ambiguous.',
    remedy: 'Send `X-Practice-Management-Software` with the system that you mean, or name the site by its `SiteSlug`.',
  },
  page_token_invalid: {
    cause: '`nextPageToken` is not one that this list returned, or you changed the filters between two pages.',
    remedy: 'Begin again without a token. A token carries its filters: leave them out, or keep them.',
  },
  provider_signature_invalid: {
    cause: 'A webhook of a payment provider has a signature that does not match. Only providers call this address.',
    remedy: 'If you operate Frontdesk, check that its webhook secret is that of the endpoint at the provider.',
  },
  unauthorized: {
    cause:
      'There is no credential, it has expired, or it is wrong. `WWW-Authenticate` and `detail` tell which. Access tokens end after 15 minutes.',
    remedy:
      'Get a new access token from `/oauth2/token`, or send a present key of the site as `X-Site-Api-Key`. Do not send both.',
  },
  forbidden: {
    cause:
      'Your credential is good, but it does not allow this operation. A site key opens no operation for clients only.',
    remedy: 'Use a client that may do this, or ask the operator of Frontdesk for the right.',
  },
  scope_missing: {
    cause: 'Your access token has not the scope that the operation needs.',
    remedy:
      'Request a token with this scope: without `scope` in the token request you get all that your client has. If it has not got it, ask the operator.',
  },
  practice_management_software_forbidden: {
    cause: 'Your client is not registered for this practice management system.',
    remedy: 'Leave the header away if you have one system only, or ask the operator to add the system to your client.',
  },
  route_not_found: {
    cause: 'No operation has this address.',
    remedy:
      'Compare path and upper and lower case with the API reference. Every address of the API begins with `/api/v1`.',
  },
  site_not_found: {
    cause:
      'There is no such site, it was deleted, or your credential has no access to it. All three look alike on purpose.',
    remedy: 'List your sites. Check the slug, the environment, and which practice management systems your client has.',
  },
  payment_not_found: {
    cause: 'The site has no such payment.',
    remedy: 'Use the `RecordId` of the payment and the slug of the site that it was made for.',
  },
  refund_not_found: {
    cause: 'The payment has no such refund, or the provider refused it and it ended as `Failed` at once.',
    remedy: 'List the refunds of the payment.',
  },
  account_not_found: {
    cause: 'The site has no such payment provider account, or it was deleted.',
    remedy: 'List the accounts of the site.',
  },
  subscription_not_found: {
    cause: 'Your credential has no subscription at this site. Each client, and the site key, has its own.',
    remedy: 'Subscribe first. The list of subscriptions shows those of everybody.',
  },
  recovery_not_found: {
    cause: 'No deliveries of your subscription were recovered yet.',
    remedy: 'Start a recovery with `POST` at the same address.',
  },
  delivery_not_found: {
    cause: 'Your subscription has no such delivery, or it is older than the retention of deliveries.',
    remedy: 'List the deliveries of your subscription.',
  },
  onboarding_link_invalid: {
    cause: 'The onboarding link is incomplete, older than seven days, or its account is closed.',
    remedy: 'Create the account again: you get the same account with a new link. What was entered is kept.',
  },
  method_not_allowed: {
    cause: 'The address exists, but not with this method.',
    remedy: '`Allow` has the methods of this address.',
  },
  request_timeout: {
    cause: 'Your request took too long to arrive.',
    remedy: 'Send it again. If it happens often, look at the network between you and Frontdesk.',
  },
  not_acceptable: {
    cause: 'Your `Accept` header excludes `application/json`.',
    remedy: 'Send `Accept: application/json`, or no such header.',
  },
  conflict: {
    cause: 'Something changed at the same time, or what your request once made is gone.',
    remedy: 'Read the resource, decide again, and send a new request with a new `Idempotency-Key`.',
  },
  idempotency_key_in_use: {
    cause: 'The first request with this `Idempotency-Key` has not ended yet.',
    remedy: sendAgain,
  },
  pms_specific_id_taken: {
    cause: 'Another site of this practice management system already has this `PmsSpecificSiteId`.',
    remedy: 'Find that site. Within a system the id must be unique.',
  },
  body_too_large: {
    cause: 'The body is larger than 256 KiB, or a token request than 16 KiB.',
    remedy: 'Send less: split a batch of events into several.',
  },
  uri_too_long: {
    cause: 'The address, or a part of it, is too long.',
    remedy: 'Name fewer values in the query, and make several requests.',
  },
  media_type_unsupported: {
    cause: 'The `Content-Type` is not one that the operation takes.',
    remedy: 'Send `application/json`; events also as `application/cloudevents+json`.',
  },
  headers_too_large: {
    cause: 'The headers together are too large.',
    remedy: 'Send fewer or shorter headers. Often a proxy or a cookie has added one.',
  },
  organisation_unknown: {
    cause: 'An organisation that you named does not exist, or your client may not use it.',
    remedy:
      'Use the slug of an organisation that owns or pays for sites of yours. Without one, a new organisation is made.',
  },
  organisation_required: {
    cause: 'Your client is restricted to several organisations, so it is unclear which one the site belongs to.',
    remedy: 'Send `OwningOrganisationSlug`.',
  },
  idempotency_key_reused: {
    cause: 'You sent another request under this `Idempotency-Key` within the last 24 hours.',
    remedy: 'Use a new key for a new request, and the same key only for the very same request.',
  },
  line_items_required: {
    cause: 'A payment without `LineItems` has no amount.',
    remedy: 'Send at least one item with `ProductName` and `Price`.',
  },
  amount_too_small: {
    cause: 'The items add up to nothing, or to less than the provider takes in this currency.',
    remedy:
      'Check that `Price` is in minor units: 4500 is 45.00 in most currencies. `detail` tells a minimum of the provider.',
  },
  amount_too_large: {
    cause: 'The items add up to more than 99,999,999 minor units, or to more than the provider takes.',
    remedy: 'Check that `Price` is in minor units. Otherwise split the amount into several payments.',
  },
  currency_unsupported: {
    cause: 'The provider does not take this currency for the account of the site.',
    remedy: 'Use the currency of the site, or another provider.',
  },
  amount_not_representable: {
    cause: 'The currency has finer units than the provider charges: some take only multiples of 10 or 100 minor units.',
    remedy: 'Round `Price` and `FeeAmount` as `errors` says.',
  },
  statement_descriptor_refused: {
    cause:
      'A bank statement cannot show this `StatementDescriptor`: it needs letters, and `<`, `>`, `\\`, `"`, `\'`, `*` are not allowed.',
    remedy: 'Send another text, or none: then the name of the practice is shown.',
  },
  provider_not_available: {
    cause: 'This deployment does not have the payment provider that you named.',
    remedy: '`enabled` of the problem lists the providers that it has.',
  },
  provider_account_not_ready: {
    cause:
      'The site has no account at this provider, or the account cannot take payments: its status is not `Active` or `Restricted`.',
    remedy: 'Create the account, let the practice complete onboarding, and wait until its `status` is `Active`.',
  },
  provider_rejected: {
    cause: 'The payment provider refused the request. `providerCode` has its reason, if it gave one.',
    remedy: 'Change what `detail` and `errors` name. If they name nothing, ask the operator with the `traceId`.',
  },
  ui_mode_unsupported: {
    cause: 'The provider has no checkout of this `UiMode`.',
    remedy: 'Use `Hosted`.',
  },
  declined: {
    cause: 'The bank of the customer refused the payment.',
    remedy: 'Let the customer pay with another card or method.',
  },
  site_suspended: {
    cause: 'The `SiteStatus` is not `Operational`, so the site takes no new payments.',
    remedy: 'Set it to `Operational` again if the practice may take payments.',
  },
  payment_not_cancellable: {
    cause: 'The payment is already paid, over, or its money is on the way. `detail` tells its status.',
    remedy: 'Read the payment. Refund it if it is paid.',
  },
  payment_not_refundable: {
    cause: 'The payment is not paid, its dispute is open, or the bank took the money back.',
    remedy: 'Read the payment: `Status` tells which. Cancel a payment that nobody has paid yet.',
  },
  refund_too_large: {
    cause: 'The refund and those before it are more than was paid.',
    remedy: 'Refund at most what `detail` says is left, or leave `Amount` away to refund all of it.',
  },
  account_has_open_payments: {
    cause: 'Payments of this account are still open, so it cannot be deleted.',
    remedy: 'Cancel them, or wait until they end.',
  },
  return_url_refused: {
    cause: '`returnUrl` is not an https address.',
    remedy: 'Send an absolute https URL of your software, or leave it out.',
  },
  account_not_deletable: {
    cause: 'The provider does not let this account be deleted, for example because there is money in it.',
    remedy: 'Empty the account at the provider first. `detail` has its words.',
  },
  event_type_unknown: {
    cause:
      'A name in `EventTypes` is no public event of ours, no wildcard over them, and no type of an external event.',
    remedy: 'Use the names of the catalogue of events, such as `payment.succeeded`. External types have a dot.',
  },
  webhook_url_missing: {
    cause: 'You gave no `Url`, and neither your client nor the site has an address.',
    remedy: 'Send `Url`, set `WebhookUrl` of the site, or have an address registered for your client.',
  },
  webhook_url_refused: {
    cause:
      'The `Url` is not https, has credentials in it, or leads to a private network or to a port that is not allowed.',
    remedy: 'Use a public https address on port 443. Send credentials as `Headers`.',
  },
  webhook_header_refused: {
    cause: 'A name in `Headers` is reserved, comes twice, or is no valid header.',
    remedy: '`errors` names the header. Use names such as `X-Api-Key`.',
  },
  subscription_paused: {
    cause: 'The site key that made the subscription was replaced, or the client lost its right.',
    remedy: 'Subscribe again with a present credential. What has waited is then delivered.',
  },
  event_refused: {
    cause: 'An event that you published is not valid, and nothing of the batch was published.',
    remedy:
      '`errors` names the event and the member. Types of your own must not begin like ours, and `visibility` is 0 or 1.',
  },
  delivery_not_redeliverable: {
    cause: 'The event is older than 14 days or has expired, or it was attempted 1,000 times.',
    remedy: 'Read the payment to learn its state.',
  },
  rate_limited: {
    cause: 'You sent more requests than your quota allows. `violated-policies` names the quota.',
    remedy: 'Wait for `Retry-After`. `RateLimit` of each answer shows what is left, so you can slow down before.',
  },
  internal_error: {
    cause: 'We made a mistake. It is in our records.',
    remedy: 'Send the same request again later, with the same `Idempotency-Key`. If it stays, report the `traceId`.',
  },
  provider_credentials: {
    cause: 'The payment provider refused the credentials of this deployment, or access to the account of the practice.',
    remedy: 'Ask the operator. If the practice has disconnected its account, create it again.',
  },
  upstream_failed: {
    cause: 'One of our services answered with something that is not an answer.',
    remedy: sendAgain,
  },
  service_unavailable: {
    cause: 'A service or its database is not reachable for the moment, or it is being restarted.',
    remedy: sendAgain,
  },
  provider_unavailable: {
    cause: 'The payment provider does not answer, or takes no more requests. It was not asked, or did nothing.',
    remedy: `${sendAgain} With a key, a payment or refund is kept and sent as soon as possible; without one it is withdrawn.`,
  },
  provider_outcome_unknown: {
    cause: 'The connection to the payment provider broke, and the provider may or may not have done what you asked.',
    remedy: `${sendAgain} You get the same payment or refund. Never repeat it without the key.`,
  },
  overloaded: {
    cause:
      'There are more requests under way than can be answered in time, so yours was refused before any work began.',
    remedy: sendAgain,
  },
  deadline_exceeded: {
    cause: 'The request took longer than its deadline. What it began may still be done.',
    remedy: sendAgain,
  },
}
