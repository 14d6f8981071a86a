import { dirname, join } from 'node:path/posix'
import { isTest, type SourceTree } from './source-tree.ts'

/** By folder, the folders that its files import, each with one such import as an example. */
type Imports = Map<string, Map<string, string>>

/** Finds folders of a service that import each other, directly or through others; tests are not looked at. */
export function foldersHaveNoCycles({ sources }: SourceTree): string[] {
  const imports: Imports = new Map()
  for (const { path, text } of sources) {
    const src = /^services\/[^/]+\/src\//.exec(path)?.[0]
    if (src === undefined || isTest(path)) continue
    const edges = imports.get(folderOf(path)) ?? new Map<string, string>()
    imports.set(folderOf(path), edges)
    for (const [, specifier = ''] of text.matchAll(/\b(?:from|import)\s*\(?\s*'(\.[^']+)'/g)) {
      const imported = join(dirname(path), specifier)
      const folder = folderOf(imported)
      if (!imported.startsWith(src) || folder === folderOf(path) || edges.has(folder)) continue
      edges.set(folder, `${path} imports ${imported}`)
    }
  }
  return shortestCycles(imports).map((cycle) => {
    const examples = cycle.map((folder, index) => imports.get(folder)?.get(cycle[(index + 1) % cycle.length] ?? ''))
    return [[...cycle, cycle[0]].join(' -> '), ...examples].join('\n  ')
  })
}

/** The folder of a file; a file directly in src stands for itself, as app.ts and db.ts are no folder together. */
function folderOf(path: string): string {
  return /^services\/[^/]+\/src\/[^/]+$/.test(path) ? path : dirname(path)
}

/** For each import that lies on a cycle a shortest cycle through it, without repeating a cycle. */
function shortestCycles(imports: Imports): string[][] {
  const cycles = new Map<string, string[]>()
  for (const [from, edges] of imports) {
    for (const to of edges.keys()) {
      const cycle = shortestWay(imports, to, from)
      if (cycle) cycles.set(cycle.toSorted().join(), cycle)
    }
  }
  return [...cycles.values()]
}

/** The folders of a shortest way from one folder to another, both included. */
function shortestWay(imports: Imports, start: string, end: string): string[] | undefined {
  const cameFrom = new Map<string, string | undefined>([[start, undefined]])
  // A Map goes on to the entries that are added while it is iterated: this is breadth first.
  for (const folder of cameFrom.keys()) {
    if (folder === end) {
      const way: string[] = []
      for (let at: string | undefined = end; at !== undefined; at = cameFrom.get(at)) way.unshift(at)
      return way
    }
    for (const next of imports.get(folder)?.keys() ?? []) if (!cameFrom.has(next)) cameFrom.set(next, folder)
  }
  return undefined
}
