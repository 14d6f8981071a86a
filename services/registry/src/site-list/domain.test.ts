import { describe, expect, test } from 'vitest'
import { boundFilters, listFilters, listRanges } from './domain.ts'

const statuses = ['Operational', 'Suspended', 'Closed']
const many = (count: number, letter: string) => Array.from({ length: count }, (_, index) => `${letter}${index + 1000}`)

describe('filters', () => {
  test('a caller sees all of its systems, or the one that it names', () => {
    expect(listFilters({ systems: ['Exact', 'Epic'] }, undefined, { pageSize: 50 })).toEqual({
      systems: ['Epic', 'Exact'],
      statuses,
    })
    expect(listFilters({ systems: ['Exact', 'Epic'] }, 'Exact', { pageSize: 50 }).systems).toEqual(['Exact'])
  })

  test('active means operational, and everything else is not active', () => {
    const of = (isActive: boolean) => listFilters({ systems: [] }, undefined, { pageSize: 50, isActive }).statuses
    expect(of(true)).toEqual(['Operational'])
    expect(of(false)).toEqual(['Suspended', 'Closed'])
  })

  test('a restriction to organisations is a filter that the request can only narrow', () => {
    const caller = { systems: ['Exact'], organisations: ['oA12', 'oB12'] }
    const owning = (asked?: string[]) =>
      listFilters(caller, undefined, { pageSize: 50, ...(asked === undefined ? {} : { OwningOrganisations: asked }) })
        .owning
    expect(owning()).toEqual(['oA12', 'oB12'])
    expect(owning(['oB12', 'oC12'])).toEqual(['oB12'])
    expect(owning(['oC12'])).toEqual([])
  })

  test('a token is bound to the values of the filters, not to their order', () => {
    const one = boundFilters(undefined, { pageSize: 1, Countries: ['NZ', 'AU', 'NZ'] })
    expect(boundFilters(undefined, { pageSize: 9, Countries: ['AU', 'NZ'] })).toEqual(one)
    expect(boundFilters('Exact', { pageSize: 1, Countries: ['AU', 'NZ'] })).not.toEqual(one)
    expect(boundFilters(undefined, { pageSize: 1, Countries: ['AU', 'NZ'], isActive: true })).not.toEqual(one)
    const asOther = boundFilters(undefined, { pageSize: 1, Sites: ['sA12'] })
    expect(boundFilters(undefined, { pageSize: 1, OwningOrganisations: ['sA12'] })).not.toEqual(asOther)
  })
})

describe('ranges', () => {
  test('there is one for each combination of values', () => {
    const filters = { systems: ['Epic', 'Exact'], statuses: ['Operational'], owning: ['oA12'], countries: ['AU', 'NZ'] }
    expect(listRanges(filters)).toEqual({
      keyed: ['owning', 'countries'],
      keys: [
        'Epic Operational oA12 AU',
        'Epic Operational oA12 NZ',
        'Exact Operational oA12 AU',
        'Exact Operational oA12 NZ',
      ],
      checked: [],
    })
    expect(listRanges({ systems: ['Exact'], statuses })).toMatchObject({
      keyed: [],
      keys: statuses.map((status) => `Exact ${status}`),
    })
  })

  test('a filter that lets nothing through has no range', () => {
    expect(listRanges({ systems: ['Exact'], statuses, owning: [], countries: ['NZ'] }).keys).toEqual([])
    expect(listRanges({ systems: [], statuses }).keys).toEqual([])
  })

  test('with too many combinations the filters that make the most of the ranges stay in the keys', () => {
    const filters = {
      systems: ['Exact'],
      statuses,
      owning: many(250, 'o'),
      billing: many(250, 'o'),
      countries: ['NZ', 'AU'],
    }
    const ranges = listRanges(filters)
    expect(ranges).toMatchObject({ keyed: ['owning', 'countries'], checked: ['billing'] })
    expect(ranges.keys).toHaveLength(1500)
    expect(listRanges({ systems: ['Exact'], statuses, owning: many(9000, 'o') })).toMatchObject({
      keyed: [],
      checked: ['owning'],
    })
  })
})
