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

function codeOf(ask: () => unknown): string {
  try {
    ask()
  } catch (error) {
    if (error instanceof ProblemError) return error.code
    throw error
  }
  return 'none'
}

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
