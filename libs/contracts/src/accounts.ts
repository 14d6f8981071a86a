import { Type, type Static } from 'typebox'
import { AccountStatus, PaymentProvider } from './enumerations.ts'
import { described, told, url } from './members.ts'
import { closed, DateTime, HttpUrl, Uuid } from './values.ts'

const provider = described(PaymentProvider, 'The payment provider of the account.')

export const AccountCreation = Type.Object(
  {
    paymentProvider: PaymentProvider,
    // It becomes a part of the onboarding address, so it is shorter than other addresses.
    returnUrl: Type.Optional(
      Type.String({
        ...HttpUrl,
        maxLength: 1024,
        description:
          'Where the practice goes back to from onboarding, for instance the payment settings of your software: an https address. Our page after onboarding links to it, however onboarding ended.',
      }),
    ),
  },
  { ...closed, description: 'A new payment provider account.' },
)
export type AccountCreation = Static<typeof AccountCreation>

export const PaymentProviderAccount = Type.Object(
  {
    accountId: described(Uuid, 'Our id of the account.'),
    paymentProvider: provider,
    status: AccountStatus,
    createdAt: described(DateTime, 'When it was created.'),
    externalAccountId: Type.Optional(told("The provider's id of the account, once the provider has confirmed it.")),
  },
  { description: 'The account of a site at a payment provider: it takes the money.' },
)
export type PaymentProviderAccount = Static<typeof PaymentProviderAccount>

export const OnboardingSession = Type.Object(
  {
    session: told('A secret of the provider, with which its front end shows onboarding in your own page.'),
    expiresAt: described(DateTime, 'Until when the session can be used.'),
  },
  { description: 'A session of onboarding that is embedded in your own page.' },
)

export const OnboardingLink = Type.Object(
  {
    // An address of ours: each visit creates a new link at the provider, whose own links work only once.
    url: url('The page on which the practice tells the provider what it needs to know. It can be opened again.'),
    expiresAt: described(DateTime, 'Until when the link can be opened.'),
  },
  { description: 'A link to onboarding on a page of the provider.' },
)

export const AccountOnboarding = Type.Object(
  { account: PaymentProviderAccount, onboardingSession: OnboardingSession, onboardingLink: OnboardingLink },
  { description: 'An account with two ways to its onboarding.' },
)
export type AccountOnboarding = Static<typeof AccountOnboarding>

export const AccountList = Type.Array(PaymentProviderAccount, {
  description: 'The payment provider accounts of a site.',
})
