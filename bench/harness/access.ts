import type { SiteAccess } from '@frontdesk/contracts'
import type { Principal } from '@frontdesk/service/tokens'
import type { System } from './system.ts'

/** A fresh access token of the client `bench`, from the token endpoint. */
export async function accessToken({ constellation, clientSecret }: System): Promise<string> {
  const response = await fetch(`${constellation.dev.gateway}/oauth2/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(`bench:${clientSecret}`).toString('base64')}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  })
  const { access_token: token } = (await response.json()) as { access_token?: string }
  if (token === undefined) throw new Error(`the token endpoint answered ${response.status}`)
  return token
}

/** Who `bench` is to a service: what the gateway would say of it. */
export function benchPrincipal({ constellation }: System): Principal {
  const client = constellation.dev.clients.find(({ id }) => id === 'bench')
  return { id: 'client:bench', scopes: client?.scopes ?? [], systems: client?.practiceManagementSoftware ?? [] }
}

/** A site that was just made, as the gateway would describe it to a service. */
export function siteAccess(identity: {
  SiteSlug: string
  Name: string
  PracticeManagementSoftware: SiteAccess['system']
  PmsSpecificSiteId: string
  OwningOrganisationSlug: string
  BillingOrganisationSlug: string
}): SiteAccess {
  return {
    slug: identity.SiteSlug,
    name: identity.Name,
    system: identity.PracticeManagementSoftware,
    pmsSpecificId: identity.PmsSpecificSiteId,
    owningOrganisation: identity.OwningOrganisationSlug,
    billingOrganisation: identity.BillingOrganisationSlug,
    status: 'Operational',
  }
}
