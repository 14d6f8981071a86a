import { expect, test } from 'vitest'
import { foldersHaveNoCycles } from './folder-cycles.ts'
import {
  databasesAreOwn,
  namesAreTelling,
  processIsMain,
  providersAreBehindThePort,
  servicesStandAlone,
  sizesAreKept,
  versionsAreInCatalog,
} from './invariants.ts'
import type { SourceTree } from './source-tree.ts'

/** A tree of the given sources, and a manifest of payments with the given dependencies. */
function tree(sources: Record<string, string>, dependencies: Record<string, string> = {}): SourceTree {
  return {
    services: ['registry', 'payments'],
    sources: Object.entries(sources).map(([path, text]) => ({ path, text })),
    documents: [],
    exists: (path) => path in sources,
    manifests: [{ path: 'services/payments/package.json', content: { name: '@frontdesk/payments', dependencies } }],
  }
}

test('a service that imports another, by name or by path, or depends on it, is found', () => {
  const byName = tree({ 'services/payments/src/a.ts': `import { x } from '@frontdesk/registry'` })
  const byPath = tree({ 'services/payments/src/a.ts': `import { x } from '../../registry/src/x.ts'` })
  const byManifest = tree({}, { '@frontdesk/registry': 'workspace:*' })
  const byLibrary = tree({ 'libs/events/src/a.ts': `import { x } from '../../../services/registry/src/x.ts'` })
  for (const each of [byName, byPath, byManifest, byLibrary]) expect(servicesStandAlone(each)).toHaveLength(1)
  expect(servicesStandAlone(tree({ 'services/payments/src/a.ts': `import { x } from '@frontdesk/events'` }))).toEqual(
    [],
  )
})

test('a service that knows the database of another is found', () => {
  expect(databasesAreOwn(tree({ 'services/payments/src/config.ts': 'PAYMENTS_DATABASE_URL' }))).toEqual([])
  expect(databasesAreOwn(tree({ 'services/payments/src/config.ts': 'PAYMENTS_DIRECT_DATABASE_URL' }))).toEqual([])
  expect(databasesAreOwn(tree({ 'services/payments/src/config.ts': 'REGISTRY_DATABASE_URL' }))).toHaveLength(1)
  expect(databasesAreOwn(tree({ 'services/payments/test/a.test.ts': `throwAwayDatabase('registry')` }))).toHaveLength(1)
})

test('a payment provider is named by its adapter, in comments and in tests, and nowhere else', () => {
  const text = "headers['stripe-signature']"
  for (const path of [
    'services/gateway/src/routes.ts',
    'libs/providers/src/calls.ts',
    'libs/contracts/src/streams.ts',
  ]) {
    expect(providersAreBehindThePort(tree({ [path]: text }))).toHaveLength(1)
    expect(providersAreBehindThePort(tree({ [path]: '/** As with Stripe. */' }))).toEqual([])
  }
  for (const path of [
    'libs/providers/src/stripe/a.ts',
    'services/gateway/src/a.test.ts',
    'services/gateway/test/a.ts',
  ]) {
    expect(providersAreBehindThePort(tree({ [path]: text }))).toEqual([])
  }
})

test('a service may touch its process in main.ts, and in tests', () => {
  const text = 'process.env.X'
  expect(processIsMain(tree({ 'services/payments/src/main.ts': text }))).toEqual([])
  expect(processIsMain(tree({ 'services/payments/test/a.test.ts': text }))).toEqual([])
  expect(processIsMain(tree({ 'services/payments/src/config.ts': text }))).toEqual([
    'services/payments/src/config.ts:1: process.env.X',
  ])
})

test('long files and deep folders are found', () => {
  expect(sizesAreKept(tree({ 'libs/a/src/a.ts': 'x\n'.repeat(300) }))).toEqual([])
  expect(sizesAreKept(tree({ 'libs/a/src/a.ts': 'x\n'.repeat(301) }))).toHaveLength(1)
  expect(sizesAreKept(tree({ 'libs/a/test/a.test.ts': 'x\n'.repeat(500) }))).toEqual([])
  expect(sizesAreKept(tree({ 'libs/a/src/b/c/d/e/a.ts': '' }))).toHaveLength(1)
})

test('a version outside of the catalog is found', () => {
  const right = { pg: 'catalog:', typescript: 'catalog:typescript-5', '@frontdesk/events': 'workspace:*' }
  expect(versionsAreInCatalog(tree({}, right))).toEqual([])
  expect(versionsAreInCatalog(tree({}, { pg: '8.23.1' }))).toHaveLength(1)
})

test('a file or folder with an empty name is found', () => {
  expect(namesAreTelling(tree({ 'libs/a/src/utils/money.ts': '', 'libs/a/src/helpers.ts': '' }))).toHaveLength(2)
  expect(namesAreTelling(tree({ 'libs/a/src/money.test.ts': '' }))).toEqual([])
})

test('folders that import each other are found, with an import for each step', () => {
  const sources = {
    'services/payments/src/a/x.ts': `import { y } from '../b/y.ts'`,
    'services/payments/src/b/y.ts': `import type { Z } from './c/z.ts'`,
    'services/payments/src/b/c/z.ts': `export { x } from '../../a/x.ts'`,
  }
  expect(foldersHaveNoCycles(tree(sources))).toEqual([
    [
      'services/payments/src/a -> services/payments/src/b -> services/payments/src/b/c -> services/payments/src/a',
      'services/payments/src/a/x.ts imports services/payments/src/b/y.ts',
      'services/payments/src/b/y.ts imports services/payments/src/b/c/z.ts',
      'services/payments/src/b/c/z.ts imports services/payments/src/a/x.ts',
    ].join('\n  '),
  ])
})

test('files in src stand for themselves, and tests may import what they like', () => {
  const oneWay = {
    'services/payments/src/app.ts': `import { x } from './a/x.ts'`,
    'services/payments/src/a/x.ts': `import { db } from '../db.ts'`,
    'services/payments/src/a/x.test.ts': `import { app } from '../app.ts'`,
    'services/payments/src/db.ts': `import { openPool } from '@frontdesk/database'`,
  }
  expect(foldersHaveNoCycles(tree(oneWay))).toEqual([])
  const back = { ...oneWay, 'services/payments/src/db.ts': `import { app } from './app.ts'` }
  expect(foldersHaveNoCycles(tree(back))).toHaveLength(1)
})
