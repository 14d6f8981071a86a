import { expect, test } from 'vitest'
import { examplesAreRun, examplesOf } from './examples.ts'
import type { SourceTree } from './source-tree.ts'

/** Returns what the check says of a page with these lines, without what it misses of the real documents. */
function faultsOf(...lines: string[]): string[] {
  const files: Record<string, string> = {
    'e2e/chaos/main.ts': 'takes --scenario and --short',
    'e2e/published-client.test.ts': '',
    'e2e/receivers.test.ts': 'plays receiver.py',
    'docs/receivers/receiver.py': '',
    'docs/receivers/receiver.rb': '',
  }
  const tree: SourceTree = {
    services: [],
    sources: Object.entries(files).map(([path, text]) => ({ path, text })),
    documents: [{ path: 'docs/guide/page.md', text: lines.join('\n') }],
    manifests: [
      {
        path: 'package.json',
        content: { name: 'frontdesk', scripts: { chaos: 'node e2e/chaos/main.ts', test: 'vitest' } },
      },
    ],
    exists: (path) => path in files,
  }
  return examplesAreRun(tree).filter((fault) => fault.startsWith('docs/guide/page.md'))
}

test('an example that no test plays is found, whatever its language, with its line', () => {
  for (const info of ['json', 'ts', 'http', 'bash', 'go', ''])
    expect(faultsOf('# A page', '', `\`\`\`${info}`, '{}', '```')).toEqual([
      expect.stringContaining('docs/guide/page.md:3: no test plays this example'),
    ])
  expect(faultsOf('- in a list:', '  ~~~json', '  {}', '  ~~~')).toHaveLength(1)
})

test('what a command prints is marked as text, and needs no test', () => {
  expect(faultsOf('```text', '42 events', '```')).toEqual([])
})

test('a command that no test runs must be there, with its flags', () => {
  const commands = (...lines: string[]) => faultsOf('```sh', ...lines, '```')
  expect(commands('npm test   # all', 'npm run chaos -- --scenario nats --short', 'node e2e/chaos/main.ts')).toEqual([])
  expect(commands('npm run havoc')).toEqual([expect.stringContaining('package.json has no script havoc')])
  expect(commands('npm run chaos -- --long')).toEqual([expect.stringContaining('e2e/chaos/main.ts has no --long')])
  expect(commands('node e2e/havoc.ts')).toEqual([expect.stringContaining('there is no e2e/havoc.ts')])
  expect(commands('curl -X POST https://api.example.com')).toEqual([expect.stringContaining('no test plays this')])
  expect(commands('npm install @frontdesk/client')).toEqual([])
})

test('a file that a page includes must be there, and a test must run it', () => {
  expect(faultsOf('<<< ../receivers/receiver.py')).toEqual([])
  expect(faultsOf('<<< ../receivers/receiver.rb')).toEqual([expect.stringContaining('no test runs')])
  expect(faultsOf('<<< ../receivers/receiver.pl{perl}')).toEqual([expect.stringContaining('does not exist')])
})

test('a test that no longer reads a document, and an example that is gone, are found', () => {
  const none: SourceTree = { services: [], sources: [], documents: [], manifests: [], exists: () => false }
  expect(examplesAreRun(none)).toContain(
    'docs/running.md: has no example "yaml" for libs/service/src/http/probes.test.ts',
  )
  expect(examplesAreRun(none)).toContain('docs/running.md: libs/service/src/http/probes.test.ts does not read it')
})

test('the blocks of a page are told apart', () => {
  const text = '```sh\na\n```\n````text x\n```\n````\n'
  const found = examplesOf({ path: 'p.md', text }).map(({ place, info, lines }) => [place, info, lines])
  expect(found).toEqual([
    ['p.md:1', 'sh', ['a']],
    ['p.md:4', 'text x', ['```']],
  ])
})
