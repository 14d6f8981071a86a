import { invalidRequest } from '../api/errors.ts'
import {
  type Decoded,
  expand,
  flag,
  integer,
  list,
  matching,
  metadata,
  object,
  oneOf,
  required,
  text,
  url,
} from '../api/parameters.ts'
import { descriptorCharacters } from '../accounts/parameters.ts'

/** The paths of a session that a request can expand. */
export const sessionExpansions = ['line_items', 'payment_intent', 'payment_intent.latest_charge']

const priceData = object({
  currency: required(matching(/^[A-Za-z]{3}$/, (value) => `Invalid currency: ${value}`)),
  unit_amount: required(integer(0)),
  tax_behavior: oneOf('exclusive', 'inclusive', 'unspecified'),
  product_data: required(object({ name: required(text()), description: text(), metadata: metadata() })),
})

/** The supported parameters of `checkout.sessions.create`; any other is refused by name. */
export const sessionParameters = {
  mode: required(oneOf('payment')),
  ui_mode: oneOf('hosted_page', 'embedded_page'),
  line_items: required(
    list(object({ quantity: integer(1, 999_999), price_data: required(priceData), metadata: metadata() }), 100),
  ),
  client_reference_id: text(200),
  customer: matching(/^cus_\w{1,64}$/, (value) => `No such customer: '${value}'`, 'resource_missing'),
  customer_email: matching(/^[^@\s]+@[^@\s]+$/, (value) => `Invalid email address: ${value}`, 'email_invalid'),
  metadata: metadata(),
  success_url: url(),
  cancel_url: url(),
  return_url: url(),
  redirect_on_completion: oneOf('always', 'if_required', 'never'),
  expires_at: integer(0),
  adaptive_pricing: object({ enabled: flag() }),
  automatic_tax: object({ enabled: required(flag()) }),
  payment_intent_data: object({
    application_fee_amount: integer(0),
    description: text(1_000),
    metadata: metadata(),
    statement_descriptor: text(),
    statement_descriptor_suffix: text(),
  }),
  submit_type: oneOf('auto', 'pay'),
  expand: expand(...sessionExpansions),
}

export type SessionParameters = Decoded<typeof sessionParameters>

const minutes = 60

/**
 * Checks Stripe's rules between the parameters, which their types do not show.
 *
 * @throws ApiError
 */
export function checkSessionParameters(params: SessionParameters, now: Date): void {
  checkReturnAddresses(params)
  checkExpiry(params.expires_at, now)
  if (params.customer !== undefined && params.customer_email !== undefined) {
    throw invalidRequest('You may only specify one of these parameters: customer, customer_email.', 'customer_email')
  }
  if (params.automatic_tax?.enabled === true) {
    throw invalidRequest(
      'You must have a valid head office address to enable automatic tax calculation.',
      'automatic_tax[enabled]',
    )
  }
  if (params.payment_intent_data?.statement_descriptor !== undefined) {
    throw invalidRequest(
      'The statement_descriptor parameter is not supported for the payment_method_type `card`. To continue supporting ' +
        'payment_method_type `card`, please pass in `statement_descriptor_suffix` or remove the ' +
        '`statement_descriptor` parameter altogether.',
      'payment_intent_data[statement_descriptor]',
    )
  }
}

/** Throws ApiError for a suffix that does not fit on a statement after the account's prefix. */
export function checkDescriptorSuffix(suffix: string | undefined, prefix: string | null): void {
  if (suffix === undefined) return
  const param = 'payment_intent_data[statement_descriptor_suffix]'
  const fault = descriptorCharacters(suffix)
  if (fault !== undefined) throw invalidRequest(`The statement descriptor suffix ${fault}.`, param)
  if (statementDescriptor(prefix, suffix).length > 22) {
    throw invalidRequest('The statement descriptor prefix and suffix together must be at most 22 characters.', param)
  }
}

/** Returns the text on the customer's statement. */
export function statementDescriptor(prefix: string | null, suffix: string | null): string {
  return prefix === null ? (suffix ?? '') : suffix === null ? prefix : `${prefix}* ${suffix}`
}

function checkReturnAddresses(params: SessionParameters): void {
  if (params.ui_mode === 'embedded_page') {
    for (const name of ['success_url', 'cancel_url'] as const) {
      if (params[name] !== undefined)
        throw invalidRequest(`\`${name}\` can not be set when \`ui_mode\` is \`embedded_page\`.`, name)
    }
    if (params.redirect_on_completion === 'never' && params.return_url !== undefined) {
      throw invalidRequest('`return_url` can not be set when `redirect_on_completion` is `never`.', 'return_url')
    }
    if (params.redirect_on_completion !== 'never' && params.return_url === undefined) {
      throw invalidRequest('Missing required param: return_url.', 'return_url', 'parameter_missing')
    }
    return
  }
  for (const name of ['return_url', 'redirect_on_completion'] as const) {
    if (params[name] !== undefined)
      throw invalidRequest(`\`${name}\` can only be set when \`ui_mode\` is \`embedded_page\`.`, name)
  }
  if (params.success_url === undefined) {
    throw invalidRequest('Missing required param: success_url.', 'success_url', 'parameter_missing')
  }
}

function checkExpiry(expiresAt: number | undefined, now: Date): void {
  if (expiresAt === undefined) return
  const seconds = expiresAt - Math.floor(now.getTime() / 1000)
  if (seconds < 30 * minutes) {
    throw invalidRequest(
      'The `expires_at` timestamp must be at least 30 minutes from Checkout Session creation.',
      'expires_at',
    )
  }
  if (seconds > 24 * 60 * minutes) {
    throw invalidRequest(
      'The `expires_at` timestamp must be less than 24 hours from Checkout Session creation.',
      'expires_at',
    )
  }
}
