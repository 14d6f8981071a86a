/** Gets pnpm by the hashes of `pnpm/package-lock.json`, and runs none of its scripts. */
import { cpSync, existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { run } from './steps.mjs'

const LOCKED = join(import.meta.dirname ?? new URL('.', import.meta.url).pathname, 'pnpm')

/**
 * Returns the command, with its first arguments, that runs this version of pnpm. On Linux it is the program of which the
 * lockfile has the hash: npm refuses any other. Elsewhere npx gets the version by its name alone.
 *
 * @param packageManager `pnpm@<version>`
 * @param cache folder that outlives this run
 * @param locked folder with the manifest and the lockfile
 * @throws Error if npm cannot install it, or if its hash is another one
 */
export async function ensurePnpm(packageManager, cache, locked = LOCKED) {
  if (process.platform !== 'linux' || !['x64', 'arm64'].includes(process.arch)) return ['npx', '--yes', packageManager]
  const folder = join(cache, packageManager)
  const program = join(folder, 'node_modules', '@pnpm', `exe.linux-${process.arch}`, 'pnpm')
  if (!existsSync(program)) {
    mkdirSync(folder, { recursive: true })
    cpSync(locked, folder, { recursive: true })
    const output = await run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: folder })
    // npm leaves out an optional package, which a program for one platform is, without an error.
    if (!existsSync(program)) throw new Error(`npm has no ${packageManager} with the hash of its lockfile.\n${output}`)
  }
  return [program]
}
