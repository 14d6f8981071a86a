import type { Scope, SiteAccess } from '@frontdesk/contracts'
import type { Principal } from '@frontdesk/service/tokens'

export type Rights = Pick<Principal, 'scopes' | 'systems' | 'organisations'>

/** A client's rights today. */
export interface ClientRights {
  scopes: readonly Scope[]
  practiceManagementSoftware: readonly string[]
  organisations?: readonly string[]
}

/** The rights a token was issued with; an absent member does not narrow. */
export interface TokenRights {
  scopes?: readonly Scope[]
  systems?: readonly string[]
  organisations?: readonly string[]
}

/** What a token gives: never more than it was issued with, and never more than its client has today. */
export function narrowedRights(client: ClientRights, token: TokenRights): Rights {
  const organisations = both(client.organisations, token.organisations)
  return {
    scopes: both(client.scopes, token.scopes) ?? [],
    systems: both(client.practiceManagementSoftware, token.systems) ?? [],
    ...(organisations === undefined ? {} : { organisations }),
  }
}

/** What two restrictions leave; an absent one is none. */
function both<Item>(one: readonly Item[] | undefined, other: readonly Item[] | undefined): readonly Item[] | undefined {
  if (one === undefined || other === undefined) return one ?? other
  return one.filter((item) => other.includes(item))
}

/** Whether a caller may know of a site: its system is one of the caller's, and so, where restricted, is the organisation that owns it. */
export function maySee({ systems, organisations }: Rights, site: SiteAccess): boolean {
  if (!systems.includes(site.system)) return false
  return organisations === undefined || organisations.includes(site.owningOrganisation)
}
