import { dirname, join } from 'node:path/posix'
import { places, type SourceFile, type SourceTree } from './source-tree.ts'

const OUTSIDE_TEXTS =
  /\bdesign(?: section|,? ?§| \d)|\bthe design\b|\breference[ /][\w-]+\.md\b|\bhouse\.md\b|\bfindings\/\w/i
/** Not a page of the documentation site, `/docs/…`: the site's own test follows those. */
const RELATIVE_LINK = /\]\((?!\w+:|#|\/docs\/)([^)\s#]+)/g
/** A path of a file of ours; the results of the bench are there once it has run. */
const PATH_FROM_ROOT =
  /(?<![\w./@-])(?!bench\/results\/)(?:libs|services|scripts|e2e|bench|docs)\/[\w./-]+\.(?:ts|mjs|md|sql|json|yaml|prisma)\b/g
const DECISION = /\bdecisions?[ /](\d{3})\b/g

/** Finds texts that cite something outside of the repository, and paths and decisions that do not exist. */
export function citationsExist(tree: SourceTree): string[] {
  return textsOf(tree).flatMap((file) => [
    ...places(file, OUTSIDE_TEXTS).map((place) => `${place} (state the reason, or cite a file in docs/)`),
    ...deadReferences(tree, file),
  ])
}

function deadReferences(tree: SourceTree, { path, text }: SourceFile): string[] {
  const links = path.endsWith('.md') ? [...text.matchAll(RELATIVE_LINK)] : []
  const records = new Set(tree.documents.map((file) => /^docs\/decisions\/(\d{3})-/.exec(file.path)?.[1]))
  return [
    ...links.map(([, link = '']) => join(dirname(path), link)).filter((target) => !tree.exists(target)),
    ...[...text.matchAll(PATH_FROM_ROOT)].map(([target]) => target).filter((target) => !tree.exists(target)),
    ...[...text.matchAll(DECISION)].filter(([, number]) => !records.has(number)).map(([name]) => name),
  ].map((target) => `${path}: ${target} does not exist`)
}

/** Words that the project had once, each with the word of the field that replaced it. */
const REPLACED_WORDS: [RegExp, string][] = [
  [/constellation/i, 'dev stack'],
  [/quieten/i, 'throttle'],
  [/\blanes?\b|\blanes?(?=[A-Z])|Lanes?(?![a-z])/, 'endpoint queue'],
  [/\bpresence\b|Presence/, 'heartbeat'],
  [/\bsurveys?\b|\bsurveyed\b/i, 'poll'],
  [/\bheldKey\b/, 'claimedKey'],
  [/\bAudience\b|openAudience/, 'subscribers'],
  [/\brelay leads\b/, 'the relay holds the leader lock'],
]

/** Finds words that the project has replaced, in texts and in the names of files. */
export function wordsAreOfTheField(tree: SourceTree): string[] {
  return textsOf(tree).flatMap((file) =>
    REPLACED_WORDS.flatMap(([word, better]) => {
      const [first, ...others] = [...(word.test(file.path) ? [file.path] : []), ...places(file, word)]
      if (first === undefined) return []
      return [`${first} (say "${better}"${others.length > 0 ? `; ${others.length} more in this file` : ''})`]
    }),
  )
}

/** All texts but the checker's own, which name what it must find. */
function textsOf({ sources, documents }: SourceTree): SourceFile[] {
  return [...sources, ...documents].filter(({ path }) => !path.startsWith('scripts/check/'))
}

const WALKS_DOCUMENT = 'docs/architecture.md'

/** The walks through the code that the architecture shows, each with the most files that one service may take part with. */
const WALKS: { title: string; service?: string; most?: number }[] = [
  { title: 'Creating a payment', service: 'services/payments/', most: 4 },
  { title: 'Delivering an event' },
]

/** Checks the numbered walks of the architecture: each step begins with a file that exists and comes once. */
export function walksAreTrue({ documents, exists }: SourceTree): string[] {
  const text = documents.find(({ path }) => path === WALKS_DOCUMENT)?.text ?? ''
  return WALKS.flatMap(({ title, service, most = Infinity }) => {
    const section = text.split(/^#+ /m).find((part) => part.startsWith(`${title}\n`)) ?? ''
    const steps = [...section.matchAll(/^\d+\. (?:`([^`]+)`)?/gm)].map(([, path = '']) => path)
    const own = steps.filter((path) => service !== undefined && path.startsWith(service))
    return [
      ...(steps.length === 0 ? ['has no numbered steps'] : []),
      ...steps.filter((path) => path === '').map(() => 'has a step that does not begin with a file in backticks'),
      ...steps.filter((path) => path !== '' && !exists(path)).map((path) => `${path} does not exist`),
      ...steps.filter((path, index) => path !== '' && steps.indexOf(path) < index).map((path) => `${path} comes twice`),
      ...(own.length > most ? [`has ${own.length} files of ${service}, at most ${most}`] : []),
    ].map((fault) => `${WALKS_DOCUMENT}, "${title}": ${fault}`)
  })
}
