import { invalidRequest } from '../api/errors.ts'
import {
  type Decoded,
  expand,
  flag,
  matching,
  metadata,
  object,
  oneOf,
  required,
  text,
  url,
} from '../api/parameters.ts'

const email = () => matching(/^[^@\s]+@[^@\s]+$/, (value) => `Invalid email address: ${value}`, 'email_invalid')

const profile = object({
  name: text(),
  url: url(),
  support_phone: matching(/^\+?[\d\s().-]{5,30}$/, (value) => `Invalid phone number: ${value}`),
  support_email: email(),
  product_description: text(),
  mcc: matching(/^\d{4}$/, (value) => `Invalid merchant category code: ${value}`),
})

const settings = object({
  payments: object({ statement_descriptor: text() }),
  card_payments: object({ statement_descriptor_prefix: text() }),
})

const requested = object({ requested: required(flag()) })

/** The parameters that an update may change. The country is not among them. */
const changeable = {
  email: email(),
  business_type: oneOf('company', 'government_entity', 'individual', 'non_profit'),
  business_profile: profile,
  capabilities: object({ card_payments: requested, transfers: requested }),
  default_currency: matching(/^[A-Za-z]{3}$/, (value) => `Invalid currency: ${value}`),
  settings,
  metadata: metadata(),
  expand: expand(),
}

/** The supported parameters of `accounts.create`. */
export const accountParameters = {
  ...changeable,
  controller: object({
    fees: object({ payer: oneOf('account', 'application') }),
    losses: object({ payments: oneOf('application', 'stripe') }),
    stripe_dashboard: object({ type: oneOf('express', 'full', 'none') }),
    requirement_collection: oneOf('application', 'stripe'),
  }),
  type: oneOf('custom', 'express', 'standard'),
  country: matching(
    /^[A-Z]{2}$/,
    (value) =>
      `Country '${value}' is unknown. Try using a 2-character alphanumeric country code instead, such as 'US', 'EG', or 'GB'.`,
  ),
}

/** The supported parameters of `accounts.update`. */
export const accountChanges = changeable

const component = object({ enabled: required(flag()), features: metadata() })

/** The parameters of `accountSessions.create`. */
export const accountSessionParameters = {
  account: required(text(100)),
  components: required(
    object({
      account_management: component,
      account_onboarding: component,
      balances: component,
      documents: component,
      notification_banner: component,
      payment_details: component,
      payments: component,
      payouts: component,
    }),
  ),
  expand: expand(),
}

/** The parameters of `accountLinks.create`. */
export const accountLinkParameters = {
  account: required(text(100)),
  type: required(oneOf('account_onboarding', 'account_update')),
  refresh_url: required(url()),
  return_url: required(url()),
  collection_options: object({
    fields: oneOf('currently_due', 'eventually_due'),
    future_requirements: oneOf('include', 'omit'),
  }),
  expand: expand(),
}

/** The parameters of a request that only takes `expand`. */
export const noParameters = { expand: expand() }

export type AccountParameters = Decoded<typeof accountParameters>
export type AccountChanges = Decoded<typeof accountChanges>

/** Checks Stripe's rules between the parameters of an account. Throws ApiError. */
export function checkAccountParameters(params: AccountParameters): void {
  const { controller } = params
  if (controller !== undefined && params.type !== undefined) {
    throw invalidRequest('You may only specify one of these parameters: type, controller.', 'type')
  }
  if (controller?.losses?.payments === 'application' && controller.fees?.payer !== 'application') {
    throw invalidRequest(
      'When `controller[losses][payments]=application`, you must also set `controller[fees][payer]=application`.',
      'controller[fees][payer]',
    )
  }
  if (params.capabilities?.card_payments?.requested === true && params.capabilities.transfers?.requested !== true) {
    throw invalidRequest(
      'You cannot request only the `card_payments` capability: `transfers` must be requested with it.',
      'capabilities',
    )
  }
}

/** Checks Stripe's rules for statement descriptors. Throws ApiError. */
export function checkStatementDescriptors(params: AccountChanges): void {
  const descriptor = params.settings?.payments?.statement_descriptor
  const prefix = params.settings?.card_payments?.statement_descriptor_prefix
  checkDescriptor(descriptor, 5, 22, 'settings[payments][statement_descriptor]')
  checkDescriptor(prefix, 2, 10, 'settings[card_payments][statement_descriptor_prefix]')
}

/** Returns what is wrong with the characters of a statement descriptor, or undefined. */
export function descriptorCharacters(descriptor: string): string | undefined {
  if (/[<>\\'"*]/.test(descriptor)) return 'may not contain any of the characters < > \\ \' " *'
  if (!/^[\x20-\x7e\u00c0-\u024f]*$/.test(descriptor)) return 'may only contain Latin characters'
  if (!/[A-Za-z\u00c0-\u024f]/.test(descriptor)) return 'must contain at least one letter'
  return undefined
}

function checkDescriptor(descriptor: string | undefined, least: number, most: number, param: string): void {
  if (descriptor === undefined) return
  const fault =
    descriptor.length < least || descriptor.length > most
      ? `must be between ${least} and ${most} characters`
      : descriptorCharacters(descriptor)
  if (fault !== undefined)
    throw invalidRequest(`The statement descriptor ${fault}.`, param, 'invalid_statement_descriptor')
}
