import { expect, test } from 'vitest'
import { maySee, narrowedRights } from './rights.ts'

const site = {
  slug: 'sAbc1234567x',
  name: 'Practice',
  practiceManagementSystem: 'OpenDental',
  pmsSpecificId: '7',
  owningOrganisation: 'oOwner1234567',
  billingOrganisation: 'oBiller123456',
  status: 'Operational',
} as const
const client = {
  scopes: ['sites:read', 'payments:read'],
  practiceManagementSoftware: ['OpenDental', 'Optomate'],
} as const
const rights = { scopes: [], practiceManagementSystems: ['OpenDental'] }

test('a token gives the rights that it was issued with and that its client still has', () => {
  expect(
    narrowedRights(client, {
      scopes: ['payments:read', 'payments:write'],
      practiceManagementSystems: ['Optomate', 'Exact'],
    }),
  ).toEqual({
    scopes: ['payments:read'],
    practiceManagementSystems: ['Optomate'],
  })
})

test('a token without a claim leaves the client its right', () => {
  expect(narrowedRights(client, {})).toEqual({
    scopes: client.scopes,
    practiceManagementSystems: client.practiceManagementSoftware,
  })
})

test('token and client may each be restricted to organisations; together they allow those that both name', () => {
  expect(narrowedRights({ ...client, organisations: ['oA', 'oB'] }, {}).organisations).toEqual(['oA', 'oB'])
  expect(narrowedRights(client, { organisations: ['oB'] }).organisations).toEqual(['oB'])
  expect(narrowedRights({ ...client, organisations: ['oA'] }, { organisations: ['oB'] }).organisations).toEqual([])
})

test('callers of a site’s system see the site', () => {
  expect(maySee(rights, site)).toBe(true)
  expect(maySee({ ...rights, practiceManagementSystems: ['Optomate'] }, site)).toBe(false)
})

test('a restricted caller sees the sites that its organisations own, not those that they only pay for', () => {
  expect(maySee({ ...rights, organisations: ['oOwner1234567'] }, site)).toBe(true)
  expect(maySee({ ...rights, organisations: ['oBiller123456'] }, site)).toBe(false)
  expect(maySee({ ...rights, organisations: ['oOther1234567'] }, site)).toBe(false)
  expect(maySee({ ...rights, organisations: [] }, site)).toBe(false)
})
