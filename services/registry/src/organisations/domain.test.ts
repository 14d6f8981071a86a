import { ProblemError } from '@frontdesk/problems'
import { describe, expect, test } from 'vitest'
import { nameOrganisations, newOrganisation, usableOrganisation, withSiteLess, withSiteMore } from './domain.ts'

const now = new Date('2026-11-21T09:00:00Z')
const group = newOrganisation({ slug: 'oGroup', name: 'Group', practiceManagementSystem: 'Exact', now })

function codeOf(ask: () => unknown): string {
  try {
    ask()
  } catch (error) {
    if (error instanceof ProblemError) return error.code
    throw error
  }
  return 'none'
}

describe('naming organisations', () => {
  test('an unrestricted client names any organisations, or none', () => {
    const caller = { practiceManagementSystems: ['Exact'] }
    expect(nameOrganisations(caller, {})).toEqual({ owning: undefined, billing: undefined })
    const request = { OwningOrganisationSlug: 'oA12', BillingOrganisationSlug: 'oB12' }
    expect(nameOrganisations(caller, request)).toEqual({ owning: 'oA12', billing: 'oB12' })
  })

  test('a client restricted to one organisation gets that one; with several or none it must name one', () => {
    expect(nameOrganisations({ practiceManagementSystems: ['Exact'], organisations: ['oA12'] }, {}).owning).toBe('oA12')
    for (const organisations of [[], ['oA12', 'oB12']]) {
      expect(codeOf(() => nameOrganisations({ practiceManagementSystems: ['Exact'], organisations }, {}))).toBe(
        'organisation_required',
      )
    }
  })
})

describe('using an organisation', () => {
  const ask = (caller: Parameters<typeof usableOrganisation>[0], organisation = group) =>
    codeOf(() => usableOrganisation(caller, [organisation], 'oGroup', '/OwningOrganisationSlug'))

  test('a caller may use an organisation of its systems and organisations', () => {
    expect(ask({ practiceManagementSystems: ['Epic', 'Exact'] })).toBe('none')
    expect(ask({ practiceManagementSystems: ['Exact'], organisations: ['oGroup'] })).toBe('none')
  })

  test("a caller may not use an organisation of another system, another's, a deleted or an unknown one", () => {
    expect(ask({ practiceManagementSystems: ['Epic'] })).toBe('organisation_unknown')
    expect(ask({ practiceManagementSystems: ['Exact'], organisations: ['oOther'] })).toBe('organisation_unknown')
    expect(ask({ practiceManagementSystems: ['Exact'] }, { ...group, deletedAt: now })).toBe('organisation_unknown')
    expect(ask({ practiceManagementSystems: ['Exact'] }, { ...group, slug: 'oElse' })).toBe('organisation_unknown')
  })
})

describe('sites of an organisation', () => {
  test('an organisation is deleted with its last site', () => {
    const two = withSiteMore(group)
    const one = withSiteLess(two, now)
    expect(one).toEqual({ next: group, events: [] })
    const none = withSiteLess(one.next, now)
    expect(none.next).toMatchObject({ ownedSites: 0, deletedAt: now, version: 1 })
    expect(none.events.map(({ type, aggregate }) => [type, aggregate])).toEqual([
      ['organisation.deleted', { type: 'organisation', id: 'oGroup', version: 1 }],
    ])
  })
})
