import { dirname, join } from 'node:path/posix'
import type { SourceFile, SourceTree } from './source-tree.ts'

/**
 * Which test plays the examples of a document: it reads the document, and runs, sends or compares them. `text` needs none:
 * it is what a command prints, or a picture.
 */
const PLAYED: { document: string; examples: string[]; by: string }[] = [
  { document: 'README.md', examples: ['sh story'], by: 'e2e/running-system.test.ts' },
  {
    document: 'docs/deploying.md',
    examples: ['sh', 'sh secrets', 'sh images'],
    by: 'scripts/kubernetes/documented.test.ts',
  },
  { document: 'docs/running.md', examples: ['yaml'], by: 'libs/service/src/http/probes.test.ts' },
  { document: 'docs/sandbox.md', examples: ['sh', 'json'], by: 'services/sandbox-provider/test/guide.test.ts' },
  { document: 'docs/sandbox.md', examples: ['html'], by: 'e2e/embedded-checkout.test.ts' },
  { document: 'docs/stripe.md', examples: ['sh endpoints'], by: 'libs/providers/src/stripe/setup-page.test.ts' },
  { document: 'docs/webhooks.md', examples: ['json known-answer'], by: 'libs/client/src/webhooks.test.ts' },
  { document: 'libs/client/README.md', examples: ['ts'], by: 'e2e/published-client.test.ts' },
  { document: 'libs/client/README.md', examples: ['html'], by: 'e2e/embedded-checkout.test.ts' },
  { document: 'libs/client/python/README.md', examples: ['python'], by: 'e2e/published-client.test.ts' },
]

/** Which tests run the files that pages of the site include. */
const PLAYERS_OF_FILES = [
  'e2e/documentation.test.ts',
  'e2e/receivers.test.ts',
  'libs/events/test/documented-reader.test.ts',
]

/** Commands of programs that are not ours, each with the test that does the same in its own way. */
const OUTSIDE: { begins: string; by: string }[] = [
  { begins: 'npm install @frontdesk/client', by: 'e2e/published-client.test.ts' },
  { begins: 'pip install frontdesk-client', by: 'e2e/published-client.test.ts' },
  // A test lets a driver take the printed roles: there is no psql.
  { begins: 'psql postgresql://administrator@', by: 'libs/testing/test/postgres-roles.test.ts' },
]

interface Example {
  /** `path:line`. */
  place: string
  document: string
  /** The words after the fence. */
  info: string
  lines: string[]
}

/** Finds examples in documents that no test plays, and commands that the repository does not have. */
export function examplesAreRun(tree: SourceTree): string[] {
  const pages = tree.documents.filter(({ path }) => path.endsWith('.md'))
  const examples = pages.flatMap(examplesOf)
  const stale = PLAYED.flatMap(({ document, examples: kinds, by }) =>
    kinds.flatMap((kind) => {
      const isThere = examples.some((one) => one.document === document && one.info === kind)
      const reads = textOf(tree, by)?.includes(document.split('/').at(-1) ?? '') === true
      return [
        ...(isThere ? [] : [`${document}: has no example "${kind}" for ${by}`]),
        ...(reads ? [] : [`${document}: ${by} does not read it`]),
      ]
    }),
  )
  return [
    ...examples.flatMap((one) => faultsOf(one, tree)),
    ...stale,
    ...pages.flatMap((one) => filesNotRun(one, tree)),
  ]
}

/** Returns the fenced blocks of a page. */
export function examplesOf({ path, text }: SourceFile): Example[] {
  const lines = text.split('\n')
  const examples: Example[] = []
  for (let at = 0; at < lines.length; at += 1) {
    const [, fence, info = ''] = /^\s*(`{3,}|~{3,})(.*)$/.exec(lines[at] ?? '') ?? []
    if (fence === undefined) continue
    const end = lines.findIndex((line, index) => index > at && line.trim() === fence)
    const last = end === -1 ? lines.length : end
    examples.push({ place: `${path}:${at + 1}`, document: path, info: info.trim(), lines: lines.slice(at + 1, last) })
    at = last
  }
  return examples
}

function faultsOf({ place, document, info, lines }: Example, tree: SourceTree): string[] {
  if (/^text\b/.test(info)) return []
  if (PLAYED.some((one) => one.document === document && one.examples.includes(info))) return []
  if (info !== 'sh')
    return [`${place}: no test plays this example (${info || 'name its language; text is what is printed'})`]
  return lines.flatMap((line) => {
    const fault = faultOfCommand(line, tree)
    return fault === undefined ? [] : [`${place}: ${line.trim()}: ${fault}`]
  })
}

/** Returns what is wrong with a command that no test runs: a script or a flag that is not there. */
function faultOfCommand(line: string, tree: SourceTree): string | undefined {
  const command = line.replace(/(^|\s)#.*$/, '').trim()
  if (command === '' || OUTSIDE.some(({ begins, by }) => command.startsWith(begins) && tree.exists(by)))
    return undefined
  const [program = '', ...words] = command.split(/\s+/)
  if (program === 'node') return tree.exists(words[0] ?? '') ? undefined : `there is no ${words[0]}`
  if (program !== 'npm') return 'no test plays this command'
  const [name = '', ...args] = words[0] === 'run' ? words.slice(1) : words
  const script = tree.manifests.find(({ path }) => path === 'package.json')?.content.scripts?.[name]
  if (script === undefined) return `package.json has no script ${name}`
  // Commands of operators are read by their own program: scripts/operator-commands.test.ts.
  if (name === 'operate') return undefined
  const main = /node (\S+)/.exec(script)?.[1] ?? ''
  const sources = tree.sources.filter(({ path }) => path === main || path.startsWith(`${dirname(main)}/`))
  const flags = args.filter((word) => /^--\w/.test(word)).map((word) => word.slice(2).split('=')[0] ?? '')
  const unknown = flags.find((flag) => !sources.some(({ text }) => text.includes(`--${flag}`)))
  return unknown === undefined ? undefined : `${main} has no --${unknown}`
}

/** Finds files that a page includes (`<<< file`) and no test runs. */
function filesNotRun({ path, text }: SourceFile, tree: SourceTree): string[] {
  const players = PLAYERS_OF_FILES.map((player) => textOf(tree, player) ?? '').join('\n')
  return [...text.matchAll(/^<<< ([^#{\s]+)/gm)].flatMap(([, included = '']) => {
    const example = join(dirname(path), included)
    if (!tree.exists(example)) return [`${path}: ${included} does not exist`]
    return players.includes(example.split('/').at(-1) ?? '') ? [] : [`${path}: no test runs ${included}`]
  })
}

function textOf({ sources }: SourceTree, wanted: string): string | undefined {
  return sources.find(({ path }) => path === wanted)?.text
}
