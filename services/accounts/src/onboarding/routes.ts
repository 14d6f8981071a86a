import type { PaymentProvider } from '@frontdesk/contracts'
import { problem } from '@frontdesk/problems'
import { enabledProvider } from '@frontdesk/providers'
import type { InternalHandlers } from '@frontdesk/service/http'
import { toProblem } from '../accounts/provider.ts'
import type { RouteDeps } from '../accounts/routes.ts'
import { findAccountById } from '../accounts/store.ts'
import { accountOfToken, addressOf } from './link.ts'

/** What stands behind our onboarding address: a visit gets a provider link made for it. */
export function onboardingRoute(deps: RouteDeps): InternalHandlers<'mintOnboardingLink'> {
  return {
    async mintOnboardingLink({ params }) {
      const accountId = accountOfToken(deps.ring, params.Token, new Date())
      const account = accountId === undefined ? null : await findAccountById(deps.prisma, accountId)
      if (account === null) throw problem('onboarding_link_invalid')
      const provider = enabledProvider(deps.providers, account.provider as PaymentProvider)
      // Who comes back to a link that has run out at the provider gets the next one from us.
      const urls = {
        refreshUrl: addressOf(deps.publicUrl, params.Token),
        returnUrl: `${deps.publicUrl}/onboarding/done`,
      }
      try {
        return { url: (await provider.createAccountLink(account.externalAccountId ?? '', urls)).url }
      } catch (error) {
        throw toProblem(error)
      }
    },
  }
}
