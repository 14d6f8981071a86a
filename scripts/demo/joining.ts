import type { Development } from './development.ts'
import { DemoFault, expect, type Narrator } from './narrator.ts'

/** Creates a site; returns its slug. */
export async function openSite({ frontdesk, clientId }: Development, narrator: Narrator): Promise<string> {
  return narrator.step(async () => {
    const { Identity, PracticeSiteApiKeys } = await frontdesk.createSite({
      body: {
        Name: 'Harbour Street Dental',
        Currency: 'GBP',
        EmailAddress: 'reception@harbour-street.example',
        PhoneNumber: '+441632960123',
        Address: { AddressLine1: '12 Harbour Street', Locality: 'Whitstable', PostalCode: 'CT5 1AH', Country: 'GB' },
      },
    })
    expect(PracticeSiteApiKeys.PrimaryKey !== PracticeSiteApiKeys.SecondaryKey, 'both keys of the site are the same')
    const told = `Client "${clientId}" got a token and created the site "${Identity.Name}" (${Identity.SiteSlug}), with two API keys`
    return { told, result: Identity.SiteSlug }
  })
}

/** Opens the site's account at the sandbox, and plays the practice that fills in the onboarding page. */
export async function onboard(
  { frontdesk, atOnboarding }: Development,
  narrator: Narrator,
  site: string,
): Promise<void> {
  const { account, onboardingLink } = await narrator.step(async () => {
    const result = await frontdesk.createAccount({ SiteSlug: site, body: { paymentProvider: 'Sandbox' } })
    expect(result.account.status === 'None', `a new account is ${result.account.status}, not None`)
    return {
      told: `It opened a Sandbox account (${result.account.externalAccountId}), status ${result.account.status}`,
      result,
    }
  })
  await narrator.step(async () => {
    const page = await fetch(onboardingLink.url)
    expect(
      page.ok && (await page.text()).includes('Harbour Street Dental'),
      `the onboarding page at ${page.url} is not right`,
    )
    await atOnboarding(account.externalAccountId ?? '', 'complete')
    await until('the account is Active', async () => {
      const { status } = await frontdesk.getAccount({ SiteSlug: site, AccountId: account.accountId })
      return status === 'Active'
    })
    return { told: 'The practice filled in the onboarding page, and the account is Active', result: undefined }
  })
}

/** Deletes the site, and with it everything that the demo left behind. */
export async function deleteSite({ frontdesk }: Development, narrator: Narrator, site: string): Promise<void> {
  await narrator.step(async () => {
    const { DeletedOrganisation } = await frontdesk.deleteSite({ SiteIdentifier: site })
    expect(DeletedOrganisation !== undefined, 'the organisation of the last site was not deleted with it')
    return {
      told: `The site is deleted, and with it its organisation "${DeletedOrganisation.Name}"`,
      result: undefined,
    }
  })
}

/** Waits until something holds. Throws DemoFault when it does not within 20 s. */
export async function until(what: string, holds: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 20_000
  while (!(await holds())) {
    if (Date.now() > deadline) throw new DemoFault(`after 20 s it still does not hold that ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 150))
  }
}
