import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'

/** A file of the repository that people write. */
export interface SourceFile {
  /** Path from the repository's root. */
  path: string
  text: string
}

/** The parts of the repository that the invariants read. */
export interface SourceTree {
  /** Code, without generated code. */
  sources: SourceFile[]
  /** Prose, and the database schemas that carry some; without the printed contracts. */
  documents: SourceFile[]
  /** Every package.json, by path. */
  manifests: { path: string; content: Manifest }[]
  /** Names of the services' folders. */
  services: string[]
  /** Whether a path from the repository's root is a file or a folder. */
  exists: (path: string) => boolean
}

export interface Manifest {
  name: string
  scripts?: Record<string, string>
  dependencies?: Record<string, string>
  devDependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
}

const PLACES = ['libs', 'services', 'scripts', 'e2e', 'bench', 'deploy', 'docs', 'vitest.config.ts']
const DOCUMENTS = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md']
const SKIPPED = new Set(['node_modules', 'generated', 'dist', 'results'])

/** Reads the parts of the repository that the invariants look at. */
export function readSourceTree(root: string): SourceTree {
  const paths = [...PLACES, ...DOCUMENTS]
    .flatMap((place) => filesBelow(join(root, place)))
    .map((file) => relative(root, file))
    .filter((path) => !path.startsWith('docs/contracts/'))
  const read = (path: string): SourceFile => ({ path, text: readFileSync(join(root, path), 'utf8') })
  return {
    sources: paths.filter((path) => /\.(ts|mjs|js)$/.test(path)).map(read),
    documents: paths.filter((path) => /\.(md|prisma)$/.test(path)).map(read),
    manifests: ['package.json', ...paths.filter((path) => path.endsWith('/package.json'))].map((path) => ({
      path,
      content: JSON.parse(readFileSync(join(root, path), 'utf8')) as Manifest,
    })),
    services: readdirSync(join(root, 'services')),
    exists: (path) => statSync(join(root, path), { throwIfNoEntry: false }) !== undefined,
  }
}

function filesBelow(path: string): string[] {
  const found = statSync(path, { throwIfNoEntry: false })
  if (!found) return []
  if (found.isFile()) return [path]
  return readdirSync(path).flatMap((name) => (SKIPPED.has(name) ? [] : filesBelow(join(path, name))))
}

export function isTest(path: string): boolean {
  return /\.test\.ts$|\/test\/|^e2e\//.test(path)
}

/** Each place where a pattern matches, as `path:line: text`; the first match of each line. */
export function places(
  file: SourceFile,
  pattern: RegExp,
  isFault: (match: RegExpExecArray) => boolean = () => true,
): string[] {
  return file.text.split('\n').flatMap((line, index) => {
    const match = pattern.exec(line)
    return match && isFault(match) ? [`${file.path}:${index + 1}: ${line.trim().slice(0, 120)}`] : []
  })
}
