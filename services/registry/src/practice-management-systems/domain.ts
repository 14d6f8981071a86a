import type { PracticeManagementSystem, PracticeManagementSystemList } from '@frontdesk/contracts'
import { problem } from '@frontdesk/problems'
import type { Principal } from '@frontdesk/service/tokens'

/** The request header that names a practice management system. */
export const systemHeader = 'x-practice-management-software'

/** The known systems by code. */
export type Catalogue = ReadonlyMap<string, PracticeManagementSystem>

type Caller = Pick<Principal, 'practiceManagementSystems'>

/** Returns the shipped catalogue with the operator's entries: one of the same code replaces the shipped entry. */
export function mergeCatalogue(
  shipped: readonly PracticeManagementSystem[],
  own: readonly PracticeManagementSystem[],
): Catalogue {
  return new Map([...shipped, ...own].map((system) => [system.code, system]))
}

/**
 * Returns the system that a request names by its header; undefined if it names none.
 * Throws `practice_management_software_unknown` (400) for a system that is not in the catalogue, and
 * `practice_management_software_forbidden` (403) for one that is disabled or not the caller's.
 */
export function namedSystem(
  catalogue: Catalogue,
  caller: Caller,
  header: string | string[] | undefined,
): string | undefined {
  if (header === undefined) return undefined
  const code = String(header)
  if (!catalogue.has(code)) {
    const errors = [{ pointer: `/header/${systemHeader}`, detail: 'is not a known practice management software' }]
    throw problem('practice_management_software_unknown', { detail: choiceOf(caller, catalogue), errors })
  }
  return accessible(catalogue, caller, code)
}

/**
 * Returns the system of a new site: the named one, otherwise the caller's only one.
 * Throws `practice_management_software_required` (400) if the caller has several, and
 * `practice_management_software_forbidden` (403) if it has none that is enabled.
 */
export function systemOfNewSite(catalogue: Catalogue, caller: Caller, named: string | undefined): string {
  if (named !== undefined) return named
  const [only, ...others] = caller.practiceManagementSystems
  if (only === undefined) throw problem('practice_management_software_forbidden', choiceOf(caller, catalogue))
  if (others.length > 0)
    throw systemRequired(caller, 'A new site belongs to one practice management system.', catalogue)
  return accessible(catalogue, caller, only)
}

/** Makes the problem of a request that must name a system; `why` is a sentence. */
export function systemRequired(caller: Caller, why: string, catalogue?: Catalogue): Error {
  const errors = [{ pointer: `/header/${systemHeader}`, detail: 'is required here' }]
  return problem('practice_management_software_required', { detail: `${why} ${choiceOf(caller, catalogue)}`, errors })
}

/** Returns a sentence that names the systems that a caller may name; `catalogue` tells which are enabled. */
function choiceOf({ practiceManagementSystems }: Caller, catalogue?: Catalogue): string {
  const systems = practiceManagementSystems.filter((code) => catalogue?.get(code)?.enabled ?? catalogue === undefined)
  if (systems.length === 0) return 'Your client has access to no practice management system.'
  return `You have access to ${systems.join(', ')}: name one in X-Practice-Management-Software, in exactly this spelling.`
}

/** Returns the catalogue as a caller sees it. */
export function listSystems(catalogue: Catalogue, caller: Caller): PracticeManagementSystemList {
  const systems = [...catalogue.values()].toSorted((one, other) => (one.code < other.code ? -1 : 1))
  return {
    Items: systems.map(({ code, displayName, sector }) => ({
      PracticeManagementSoftware: code,
      DisplayName: displayName,
      Sector: sector,
      IsAccessible: isAccessible(catalogue, caller, code),
    })),
  }
}

function accessible(catalogue: Catalogue, caller: Caller, code: string): string {
  if (!isAccessible(catalogue, caller, code))
    throw problem('practice_management_software_forbidden', choiceOf(caller, catalogue))
  return code
}

function isAccessible(catalogue: Catalogue, caller: Caller, code: string): boolean {
  return caller.practiceManagementSystems.includes(code) && catalogue.get(code)?.enabled === true
}
