import type { Scope, SiteAccess } from '@frontdesk/contracts'
import type { Principal } from '@frontdesk/service/tokens'

export type Rights = Pick<Principal, 'scopes' | 'practiceManagementSystems' | 'organisations'>

/** A client's present rights. */
export interface ClientRights {
  scopes: readonly Scope[]
  practiceManagementSoftware: readonly string[]
  organisations?: readonly string[]
}

/**
 * Returns the rights of a request: those that both the token was issued with and its client has at present. A right that
 * the token does not name is not narrowed.
 */
export function narrowedRights(client: ClientRights, token: Partial<Rights>): Rights {
  const organisations = both(client.organisations, token.organisations)
  return {
    scopes: both(client.scopes, token.scopes) ?? [],
    practiceManagementSystems: both(client.practiceManagementSoftware, token.practiceManagementSystems) ?? [],
    ...(organisations === undefined ? {} : { organisations }),
  }
}

/** Returns the items that both lists allow; undefined allows all. */
function both<Item>(one: readonly Item[] | undefined, other: readonly Item[] | undefined): readonly Item[] | undefined {
  if (one === undefined || other === undefined) return one ?? other
  return one.filter((item) => other.includes(item))
}

/** Whether a caller may see a site: it has the site's system and, if it is restricted to organisations, the site's owner. */
export function maySee({ practiceManagementSystems: systems, organisations }: Rights, site: SiteAccess): boolean {
  if (!systems.includes(site.practiceManagementSystem)) return false
  return organisations === undefined || organisations.includes(site.owningOrganisation)
}
