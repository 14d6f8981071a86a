import { ProblemError } from '@frontdesk/problems'
import { describe, expect, test } from 'vitest'
import { newOrganisation } from '../organisations/domain.ts'
import { changeSite, createSite, deleteSite, identifySite, isVisible, touchSite, type Site } from './domain.ts'

const now = new Date('2026-11-21T09:00:00Z')
const later = new Date('2026-11-21T10:00:00Z')
const caller = { practiceManagementSystems: ['Exact'] }
const made = {
  id: '0192f0c0-0000-7000-8000-000000000001',
  slug: 'sSite',
  organisationSlug: 'oOwn1',
  practiceManagementSystem: 'Exact',
  now,
}
const created = createSite(
  made,
  { Name: ' Harbour ', Address: { Locality: 'Auckland', Country: 'NZ' }, Currency: 'NZD' },
  caller,
  { owning: undefined, billing: undefined },
  [],
)
const { site } = created

describe('creating a site', () => {
  test('the name is trimmed, and is also the name of the organisation', () => {
    expect(site).toMatchObject({ name: 'Harbour', pmsSpecificId: 'sSite', status: 'Operational', version: 1 })
    expect(created.owner).toMatchObject({
      slug: 'oOwn1',
      name: 'Harbour',
      practiceManagementSystem: 'Exact',
      ownedSites: 1,
    })
    expect([site.owningOrganisation, site.billingOrganisation]).toEqual(['oOwn1', 'oOwn1'])
  })

  test('an existing organisation gets one more site, which is billed to it unless another is named', () => {
    const group = newOrganisation({ slug: 'oGroup', name: 'Group', practiceManagementSystem: 'Exact', now })
    const payer = newOrganisation({ slug: 'oPayer', name: 'Payer', practiceManagementSystem: 'Exact', now })
    const own = createSite(made, { Name: 'Branch' }, caller, { owning: 'oGroup', billing: undefined }, [group])
    expect(own.owner).toEqual({ ...group, ownedSites: 2 })
    expect(own.site.billingOrganisation).toBe('oGroup')
    const billed = createSite(made, { Name: 'Branch' }, caller, { owning: 'oGroup', billing: 'oPayer' }, [group, payer])
    expect(billed.site.billingOrganisation).toBe('oPayer')
    expect(billed.owner.slug).toBe('oGroup')
  })
})

describe('identifying a site', () => {
  const other: Site = { ...site, id: made.id.replace(/1$/, '2'), slug: 'sOther', pmsSpecificId: 'branch' }
  const identify = (candidates: Site[], identifier: string, systems: string[], named?: string): string => {
    try {
      return identifySite(candidates, identifier, { practiceManagementSystems: systems }, named).slug
    } catch (error) {
      if (error instanceof ProblemError) return error.code
      throw error
    }
  }

  test('a slug identifies a site, whatever system is named', () => {
    expect(identify([site], 'sSite', ['Exact', 'Epic'])).toBe('sSite')
    expect(identify([site], 'sSite', ['Exact', 'Epic'], 'Epic')).toBe('sSite')
  })

  test('a PMS-specific id needs the header if the caller has several systems', () => {
    expect(identify([other], 'branch', ['Exact'])).toBe('sOther')
    expect(identify([other], 'branch', ['Exact', 'Epic'], 'Exact')).toBe('sOther')
    expect(identify([other], 'branch', ['Exact', 'Epic'])).toBe('practice_management_software_required')
    expect(identify([], 'not-there', ['Exact', 'Epic'])).toBe('practice_management_software_required')
    expect(identify([], 'sNotThere', ['Exact', 'Epic'])).toBe('site_not_found')
    expect(identify([], 'branch', ['Exact'])).toBe('site_not_found')
  })

  test('a site that the caller may not see does not exist for it, so no header is asked for', () => {
    expect(identify([site], 'sSite', ['Epic'])).toBe('site_not_found')
    expect(identify([other], 'branch', ['Epic'])).toBe('site_not_found')
    expect(isVisible({ practiceManagementSystems: ['Exact'], organisations: ['oElse'] }, site)).toBe(false)
    expect(isVisible({ practiceManagementSystems: ['Exact'], organisations: ['oOwn1'] }, site)).toBe(true)
  })
})

describe('changing a site', () => {
  test('null removes a member, an absent member stays, an address is merged', () => {
    const { next, events } = changeSite(site, { Currency: null, Address: { Locality: null, Region: 'North' } }, later)
    expect(next).toEqual({
      ...site,
      currency: null,
      address: { Region: 'North', Country: 'NZ' },
      version: 2,
      changedAt: later,
    })
    expect(events).toMatchObject([{ type: 'site.updated', aggregate: { version: 2 }, data: { version: 2 } }])
    expect(events[0]?.data).not.toHaveProperty('currency')
    expect(changeSite(site, { Address: null }, later).next.address).toBeNull()
    expect(changeSite({ ...site, address: null }, { Address: { Country: 'AU' } }, later).next.address).toEqual({
      Country: 'AU',
    })
  })

  test('a patch of present values changes nothing', () => {
    for (const patch of [
      {},
      { Name: ' Harbour' },
      { Address: { Country: 'NZ' } },
      { PhoneNumber: null },
      { SiteStatus: 'Operational' as const },
    ]) {
      expect(changeSite(site, patch, later)).toEqual({ next: site, events: [] })
    }
  })

  test('a touched site has a new version though its state is the same', () => {
    expect(touchSite(site, later).next).toEqual({ ...site, version: 2, changedAt: later })
  })
})

describe('deleting a site', () => {
  test('the last site of an organisation deletes it too, and the event of the site comes first', () => {
    const deleted = deleteSite(site, created.owner, later)
    expect(deleted.site).toMatchObject({ version: 2, deletedAt: later })
    expect(deleted.owner.deletedAt).toBe(later)
    expect(deleted.events.map(({ type }) => type)).toEqual(['site.deleted', 'organisation.deleted'])
  })

  test('an organisation that owns other sites stays', () => {
    const deleted = deleteSite(site, { ...created.owner, ownedSites: 2 }, later)
    expect(deleted.owner).toMatchObject({ ownedSites: 1, deletedAt: null })
    expect(deleted.events.map(({ type }) => type)).toEqual(['site.deleted'])
  })
})
