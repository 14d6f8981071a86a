import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'

/** A file of the repository that people write. */
export interface SourceFile {
  /** Path from the repository's root. */
  path: string
  text: string
}

/** The parts of the repository as invariants look at them. */
export interface SourceTree {
  /** Code, without what is generated. */
  sources: SourceFile[]
  /** Every package.json, by path. */
  manifests: { path: string; content: Manifest }[]
  /** Names of the services' folders. */
  services: string[]
}

export interface Manifest {
  name: string
  dependencies?: Record<string, string>
  devDependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
}

const PLACES = ['libs', 'services', 'scripts', 'e2e', 'bench', 'deploy', 'vitest.config.ts']
const SKIPPED = new Set(['node_modules', 'generated', 'results'])

/** Reads what the invariants look at. */
export function readSourceTree(root: string): SourceTree {
  const files = PLACES.flatMap((place) => filesBelow(join(root, place)))
  const manifests = [
    'package.json',
    ...files.filter((file) => file.endsWith('/package.json')).map((file) => relative(root, file)),
  ]
  return {
    sources: files
      .filter((file) => /\.(ts|mjs|js)$/.test(file))
      .map((file) => ({ path: relative(root, file), text: readFileSync(file, 'utf8') })),
    manifests: manifests.map((path) => ({
      path,
      content: JSON.parse(readFileSync(join(root, path), 'utf8')) as Manifest,
    })),
    services: readdirSync(join(root, 'services')),
  }
}

function filesBelow(path: string): string[] {
  const found = statSync(path, { throwIfNoEntry: false })
  if (!found) return []
  if (found.isFile()) return [path]
  return readdirSync(path).flatMap((name) => (SKIPPED.has(name) ? [] : filesBelow(join(path, name))))
}
