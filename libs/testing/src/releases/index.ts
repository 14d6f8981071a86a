import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { mkdir, symlink } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { throwAwayFolder } from '../throw-away-folder.ts'
import type { Reading, ReleasedEvent } from './player.ts'

export { composeSamples, type Reading, type ReleasedEvent } from './player.ts'
export { sampleSlug } from './samples.ts'

export const repository = resolve(import.meta.dirname, '../../../..')
const run = promisify(execFile)
const player = join(import.meta.dirname, 'player.ts')

/** The code of an earlier release, in a folder of its own. */
export interface Release extends AsyncDisposable {
  commit: string
  /** Samples of all its events, as it composes them. */
  events: readonly ReleasedEvent[]
  /** Reads events with its readers. */
  read(events: readonly ReleasedEvent[]): Promise<Reading[]>
}

/** Opens the releases of `releases.json`. Leaves out those whose commit is not in the clone, and prints so. */
export async function openReleases(): Promise<Release[]> {
  const { commits } = JSON.parse(readFileSync(join(repository, 'releases.json'), 'utf8')) as { commits: string[] }
  const opened = await Promise.all(commits.map(openRelease))
  return opened.filter((release) => release !== undefined)
}

async function openRelease(commit: string): Promise<Release | undefined> {
  const missing = await run('git', ['-C', repository, 'cat-file', '-e', `${commit}^{commit}`]).then(
    () => undefined,
    (error: Error) => error,
  )
  if (missing !== undefined) {
    console.warn(`Skipped: release ${commit} is not in this clone (a shallow one, or no git): ${missing.message}`)
    return undefined
  }
  const folder = await throwAwayFolder()
  await extract(commit, folder.path)
  await link(folder.path)
  return {
    commit,
    events: (await play(folder.path, '')) as ReleasedEvent[],
    read: async (events) => (await play(folder.path, JSON.stringify(events))) as Reading[],
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  }
}

async function extract(commit: string, folder: string): Promise<void> {
  const archive = join(folder, 'release.tar')
  await run('git', ['-C', repository, 'archive', '--output', archive, commit, 'libs', 'services'])
  await run('tar', ['-x', '-f', archive, '-C', folder])
}

/** Gives each package of the release what it depends on: packages of npm from this install, ours from the release. */
async function link(folder: string): Promise<void> {
  for (const parent of ['libs', 'services']) {
    for (const name of readdirSync(join(folder, parent))) {
      const installed = join(repository, parent, name, 'node_modules')
      if (!existsSync(installed)) continue
      for (const dependency of dependenciesIn(installed)) {
        const to = join(folder, parent, name, 'node_modules', dependency)
        await mkdir(dirname(to), { recursive: true })
        const own = dependency.startsWith('@frontdesk/')
        await symlink(
          own ? join(folder, 'libs', dependency.slice('@frontdesk/'.length)) : join(installed, dependency),
          to,
        )
      }
    }
  }
}

function dependenciesIn(installed: string): string[] {
  return readdirSync(installed)
    .filter((name) => !name.startsWith('.'))
    .flatMap((name) =>
      name.startsWith('@') ? readdirSync(join(installed, name)).map((one) => `${name}/${one}`) : name,
    )
}

async function play(folder: string, input: string): Promise<unknown> {
  const child = spawn(process.execPath, [player, folder], { stdio: ['pipe', 'pipe', 'inherit'] })
  const printed = text(child.stdout)
  child.stdin.end(input)
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`the release in ${folder} could not be played`)
  return JSON.parse(await printed)
}
