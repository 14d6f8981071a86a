import { Type, type Static } from 'typebox'
import { AccountStatus, PaymentProvider } from './enumerations.ts'
import { closed, DateTime, HttpUrl, Uuid } from './values.ts'

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
  closed,
)
export type AccountCreation = Static<typeof AccountCreation>

export const PaymentProviderAccount = Type.Object({
  accountId: Uuid,
  paymentProvider: PaymentProvider,
  status: AccountStatus,
  createdAt: DateTime,
  externalAccountId: Type.Optional(Type.String()),
})
export type PaymentProviderAccount = Static<typeof PaymentProviderAccount>

export const AccountOnboarding = Type.Object({
  account: PaymentProviderAccount,
  onboardingSession: Type.Object({ session: Type.String(), expiresAt: DateTime }),
  // `url` is an address of ours: each visit creates a new link at the provider, whose own links work only once.
  onboardingLink: Type.Object({ url: Type.String(), expiresAt: DateTime }),
})
export type AccountOnboarding = Static<typeof AccountOnboarding>

export const AccountList = Type.Array(PaymentProviderAccount)
