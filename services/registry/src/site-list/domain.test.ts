import { describe, expect, test } from 'vitest'
import { namedFilters, divide, listFilters, planList, type ListFilters } from './domain.ts'

const statuses = ['Operational', 'Suspended', 'Closed']
const many = (count: number, letter: string) => Array.from({ length: count }, (_, index) => `${letter}${index + 1000}`)

describe('filters', () => {
  test('a caller gets all its systems, or the one that it names', () => {
    expect(listFilters({ practiceManagementSystems: ['Exact', 'Epic'] }, {})).toEqual({
      practiceManagementSystems: ['Epic', 'Exact'],
      statuses,
    })
    expect(
      listFilters({ practiceManagementSystems: ['Exact', 'Epic'] }, { 'X-Practice-Management-Software': 'Exact' })
        .practiceManagementSystems,
    ).toEqual(['Exact'])
  })

  test('only operational sites are active', () => {
    const of = (isActive: boolean) => listFilters({ practiceManagementSystems: [] }, { isActive }).statuses
    expect(of(true)).toEqual(['Operational'])
    expect(of(false)).toEqual(['Suspended', 'Closed'])
  })

  test('a restriction to organisations is a filter that the request can only narrow', () => {
    const caller = { practiceManagementSystems: ['Exact'], organisations: ['oA12', 'oB12'] }
    const owning = (asked?: string[]) =>
      listFilters(caller, asked === undefined ? {} : { OwningOrganisations: asked }).owning
    expect(owning()).toEqual(['oA12', 'oB12'])
    expect(owning(['oB12', 'oC12'])).toEqual(['oB12'])
    expect(owning(['oC12'])).toEqual([])
  })

  test('a token is bound to the values of the filters, whatever their order', () => {
    const one = namedFilters(undefined, { pageSize: 1, Countries: ['NZ', 'AU', 'NZ'] })
    expect(namedFilters(undefined, { pageSize: 9, Countries: ['AU', 'NZ'] })).toEqual(one)
    expect(namedFilters('Exact', { pageSize: 1, Countries: ['AU', 'NZ'] })).not.toEqual(one)
    expect(namedFilters(undefined, { pageSize: 1, Countries: ['AU', 'NZ'], isActive: true })).not.toEqual(one)
    const asOther = namedFilters(undefined, { pageSize: 1, Sites: ['sA12'] })
    expect(namedFilters(undefined, { pageSize: 1, OwningOrganisations: ['sA12'] })).not.toEqual(asOther)
  })
})

describe('the plan of a list', () => {
  const systems = many(10, 'p')
  const levelsOf = (filters: ListFilters) => planList(filters).levels.map(({ keyed, checked }) => [keyed, checked])

  test('without organisations all sites are walked, and divided where few pass', () => {
    expect(planList({ practiceManagementSystems: systems, statuses })).toEqual({
      levels: [
        { keyed: [], checked: ['group'] },
        { keyed: ['group'], checked: [] },
      ],
      first: [{}],
    })
    expect(levelsOf({ practiceManagementSystems: systems, statuses, countries: ['NZ', 'AU'] })).toEqual([
      [[], ['group', 'countries']],
      [['group', 'countries'], []],
    ])
  })

  test('with organisations of both kinds, the kind with fewer values is walked', () => {
    const some = { practiceManagementSystems: systems, statuses, owning: many(3, 'o'), billing: many(2, 'o') }
    expect(planList(some)).toMatchObject({
      levels: [{ keyed: ['billing'] }, { keyed: ['billing', 'owning', 'group'], checked: [] }],
      first: [{ billing: 'o1000' }, { billing: 'o1001' }],
    })
    expect(planList({ ...some, billing: many(4, 'o') }).first).toEqual(many(3, 'o').map((owning) => ({ owning })))
  })

  test('a range is divided by as many filters at a time as give at most a thousand parts', () => {
    const filters = {
      practiceManagementSystems: systems,
      statuses,
      owning: many(200, 'o'),
      billing: many(250, 'o'),
      countries: many(40, 'C'),
    }
    expect(levelsOf(filters)).toEqual([
      [['owning'], ['billing', 'group', 'countries']],
      [
        ['owning', 'billing'],
        ['group', 'countries'],
      ],
      [['owning', 'billing', 'group'], ['countries']],
      [['owning', 'billing', 'group', 'countries'], []],
    ])
  })

  test('a range is divided by the dimensions that only the finer level is keyed by', () => {
    const filters = { practiceManagementSystems: ['Epic', 'Exact'], statuses: ['Closed'], countries: ['AU', 'NZ'] }
    const level = { keyed: ['owning', 'group', 'countries'], checked: [] } as const
    expect(divide(filters, { owning: 'oA12' }, level)).toEqual([
      { owning: 'oA12', group: 'Epic Closed', countries: 'AU' },
      { owning: 'oA12', group: 'Epic Closed', countries: 'NZ' },
      { owning: 'oA12', group: 'Exact Closed', countries: 'AU' },
      { owning: 'oA12', group: 'Exact Closed', countries: 'NZ' },
    ])
  })

  test('a filter without values leaves nothing to read', () => {
    expect(planList({ practiceManagementSystems: systems, statuses, owning: [], countries: ['NZ'] }).first).toEqual([])
    expect(planList({ practiceManagementSystems: systems, statuses, owning: ['oA12'], countries: [] }).first).toEqual(
      [],
    )
    expect(planList({ practiceManagementSystems: [], statuses }).first).toEqual([])
  })
})
