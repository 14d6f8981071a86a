import { expectThat } from '../system/fault.ts'
import { completeOnboarding } from '../system/practice.ts'
import type { Demo } from './narrator.ts'

/** Creates a site; returns its slug. */
export function openSite({ frontdesk, narrator }: Demo): Promise<string> {
  return narrator.step(async () => {
    const { Identity, PracticeSiteApiKeys } = await frontdesk.sites.create({
      body: {
        Name: 'Harbour Street Dental',
        Currency: 'GBP',
        EmailAddress: 'reception@harbour-street.example',
        PhoneNumber: '+441632960123',
        Address: { AddressLine1: '12 Harbour Street', Locality: 'Whitstable', PostalCode: 'CT5 1AH', Country: 'GB' },
      },
    })
    expectThat(
      PracticeSiteApiKeys.PrimaryKey !== PracticeSiteApiKeys.SecondaryKey,
      'both keys of the site are the same',
    )
    const told = `Client "demo" got a token and created the site "${Identity.Name}" (${Identity.SiteSlug}), with two API keys`
    return { told, result: Identity.SiteSlug }
  })
}

/** Opens the site's account at the sandbox, and fills in the onboarding page as the practice would. */
export async function onboard(demo: Demo, site: string): Promise<void> {
  const { frontdesk, narrator } = demo
  const { account, onboardingLink } = await narrator.step(async () => {
    const result = await frontdesk.accounts.create({ SiteSlug: site, body: { paymentProvider: 'Sandbox' } })
    const { externalAccountId, status } = result.account
    expectThat(status === 'None', `a new account is ${status}, not None`)
    return { told: `It opened a Sandbox account (${externalAccountId}), status ${status}`, result }
  })
  await narrator.step(async () => {
    const page = await fetch(onboardingLink.url)
    const isRight = page.ok && (await page.text()).includes('Harbour Street Dental')
    expectThat(isRight, `the onboarding page at ${page.url} is not right`)
    await completeOnboarding(demo, site, account)
    return { told: 'The practice filled in the onboarding page, and the account is Active' }
  })
}

/** Deletes the site and with it everything that the demo has made. */
export async function deleteSite({ frontdesk, narrator }: Demo, site: string): Promise<void> {
  await narrator.step(async () => {
    const { DeletedOrganisation } = await frontdesk.sites.delete({ SiteIdentifier: site })
    expectThat(DeletedOrganisation !== undefined, 'the organisation of the last site was not deleted with it')
    return { told: `The site is deleted, and with it its organisation "${DeletedOrganisation.Name}"` }
  })
}
