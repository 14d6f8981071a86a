import { ProblemError } from '@frontdesk/problems'
import { expect, test } from 'vitest'
import { mergeCatalogue, namedSystem, systemOfNewSite } from './domain.ts'

const catalogue = mergeCatalogue(
  [
    { code: 'Exact', displayName: 'Exact', sector: 'Dental', enabled: true },
    { code: 'Epic', displayName: 'Epic', sector: 'Medical', enabled: true },
    { code: 'Retired', displayName: 'Retired', sector: 'Any', enabled: true },
  ],
  [{ code: 'Retired', displayName: 'Retired', sector: 'Any', enabled: false }],
)

function refusal(ask: () => unknown): { code: string; detail: string | undefined } {
  try {
    ask()
  } catch (error) {
    if (error instanceof ProblemError) return { code: error.code, detail: error.options.detail }
    throw error
  }
  throw new Error('nothing was refused')
}
const codeOf = (ask: () => unknown) => refusal(ask).code

test('without the header no system is named', () => {
  expect(namedSystem(catalogue, { practiceManagementSystems: ['Exact'] }, undefined)).toBeUndefined()
})

test('the header names one of the systems of the caller, written exactly', () => {
  const caller = { practiceManagementSystems: ['Exact', 'Epic'] }
  expect(namedSystem(catalogue, caller, 'Epic')).toBe('Epic')
  for (const header of ['epic', '', 'Epic, Exact', 'Unheard']) {
    expect(codeOf(() => namedSystem(catalogue, caller, header))).toBe('practice_management_software_unknown')
  }
})

test('a system of other callers is forbidden, and so is one that the operator has disabled', () => {
  expect(codeOf(() => namedSystem(catalogue, { practiceManagementSystems: ['Exact'] }, 'Epic'))).toBe(
    'practice_management_software_forbidden',
  )
  expect(codeOf(() => namedSystem(catalogue, { practiceManagementSystems: ['Retired'] }, 'Retired'))).toBe(
    'practice_management_software_forbidden',
  )
})

test("a new site belongs to the named system, otherwise to the caller's only one", () => {
  expect(systemOfNewSite(catalogue, { practiceManagementSystems: ['Exact', 'Epic'] }, 'Epic')).toBe('Epic')
  expect(systemOfNewSite(catalogue, { practiceManagementSystems: ['Exact'] }, undefined)).toBe('Exact')
  const ask = (systems: string[]) =>
    codeOf(() => systemOfNewSite(catalogue, { practiceManagementSystems: systems }, undefined))
  expect(ask(['Exact', 'Epic'])).toBe('practice_management_software_required')
  expect(ask([])).toBe('practice_management_software_forbidden')
  expect(ask(['Retired'])).toBe('practice_management_software_forbidden')
  expect(ask(['NotInTheCatalogue'])).toBe('practice_management_software_forbidden')
})

test('each refusal names the systems that the caller may name', () => {
  const caller = { practiceManagementSystems: ['Exact', 'Epic', 'Retired'] }
  const choice = 'You have access to Exact, Epic: name one in X-Practice-Management-Software, in exactly this spelling.'
  expect(refusal(() => namedSystem(catalogue, caller, 'Unheard')).detail).toBe(choice)
  expect(refusal(() => namedSystem(catalogue, caller, 'Retired')).detail).toBe(choice)
  expect(refusal(() => systemOfNewSite(catalogue, caller, undefined)).detail).toBe(
    `A new site belongs to one practice management system. ${choice}`,
  )
  expect(refusal(() => namedSystem(catalogue, { practiceManagementSystems: [] }, 'Epic')).detail).toBe(
    'Your client has access to no practice management system.',
  )
})
