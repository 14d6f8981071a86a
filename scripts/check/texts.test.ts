import { expect, test } from 'vitest'
import type { SourceTree } from './source-tree.ts'
import { citationsExist, walksAreTrue, wordsAreOfTheField } from './texts.ts'

/** A tree of the given texts, of which `.ts` files are code. */
function tree(texts: Record<string, string>): SourceTree {
  const files = Object.entries(texts).map(([path, text]) => ({ path, text }))
  return {
    services: ['payments'],
    sources: files.filter(({ path }) => path.endsWith('.ts')),
    documents: files.filter(({ path }) => path.endsWith('.md')),
    manifests: [],
    exists: (path) => path in texts,
  }
}

test.each([
  '// as design section 5 says',
  '// as Design 5 says',
  '// design §8',
  '// the design asks for it',
  '// reference payments.md 2a',
  '// see house.md',
  '// as findings/loop.md says',
])('the citation "%s" is found, as its text is not in the repository', (text) => {
  expect(citationsExist(tree({ 'libs/a/src/a.ts': text }))).toHaveLength(1)
  expect(citationsExist(tree({ 'docs/a.md': text }))).toHaveLength(1)
})

test('links, paths and decisions that do not exist are found', () => {
  const record = { 'docs/decisions/001-first.md': '# 001: First', 'libs/a/src/a.ts': '' }
  const dead = '[a](gone.md), `docs/gone.md`, libs/a/src/gone.ts, decisions/002, decision 003'
  expect(citationsExist(tree({ ...record, 'docs/a.md': dead }))).toEqual([
    'docs/a.md: docs/gone.md does not exist',
    'docs/a.md: docs/gone.md does not exist',
    'docs/a.md: libs/a/src/gone.ts does not exist',
    'docs/a.md: decisions/002 does not exist',
    'docs/a.md: decision 003 does not exist',
  ])
  const alive = '[a](decisions/001-first.md#one), [b](https://example.com/gone.md), libs/a/src/a.ts, decision 001'
  expect(citationsExist(tree({ ...record, 'docs/a.md': alive }))).toEqual([])
})

test('replaced words are found in texts and in the names of files, once a file, with the better word', () => {
  expect(wordsAreOfTheField(tree({ 'e2e/a.ts': 'const constellation = 1\nconst constellations = 2' }))).toEqual([
    'e2e/a.ts:1: const constellation = 1 (say "dev stack"; 1 more in this file)',
  ])
  for (const text of ['the lanes', 'newLane()', 'laneLimits', 'quietens', 'Presence', 'survey()', 'heldKey']) {
    expect(wordsAreOfTheField(tree({ 'libs/a/src/a.ts': text })), text).toHaveLength(1)
  }
  expect(wordsAreOfTheField(tree({ 'libs/a/src/lane.ts': '' }))).toHaveLength(1)
  expect(wordsAreOfTheField(tree({ 'libs/a/src/a.ts': 'planes; claims.audience; setAudience()' }))).toEqual([])
})

const delivering = '## Delivering an event\n1. `libs/a/src/a.ts`: begins\n'

function walks(steps: string[]): string[] {
  const text = `## Creating a payment\n${steps.map((step, index) => `${index + 1}. ${step}`).join('\n')}\n${delivering}`
  const files = ['a', 'b', 'c', 'd', 'e'].map((name) => [`services/payments/src/${name}.ts`, ''])
  return walksAreTrue(tree({ ...Object.fromEntries(files), 'libs/a/src/a.ts': '', 'docs/architecture.md': text }))
}

test('a walk whose steps begin with files that exist is true', () => {
  expect(walks(['`libs/a/src/a.ts` asks', '`services/payments/src/a.ts`: answers `libs/a/src/a.ts`'])).toEqual([])
})

test('a walk without steps, or with a step that is no file, is gone or comes twice, is found', () => {
  expect(walksAreTrue(tree({ 'docs/architecture.md': delivering, 'libs/a/src/a.ts': '' }))).toEqual([
    'docs/architecture.md, "Creating a payment": has no numbered steps',
  ])
  expect(walks(['the gateway asks', '`libs/a/src/gone.ts`', '`libs/a/src/a.ts`', '`libs/a/src/a.ts`'])).toHaveLength(3)
})

test('a walk through more than four files of payments is found', () => {
  const files = ['a', 'b', 'c', 'd', 'e'].map((name) => `\`services/payments/src/${name}.ts\``)
  expect(walks(files.slice(0, 4))).toEqual([])
  expect(walks(files)).toEqual([
    'docs/architecture.md, "Creating a payment": has 5 files of services/payments/, at most 4',
  ])
})
