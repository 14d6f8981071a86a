/** Finds a nats-server that is new enough, or gets one in the quickest way that works. */
import { accessSync, constants, mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { downloadVerified } from './download-verified.mjs'
import { ProblemForUser, run, step } from './steps.mjs'

const OLDEST = [2, 9, 10]
const PINNED = '2.12.15'
const MODULE = 'github.com/nats-io/nats-server/v2'
/** SHA-256 of the release's archives, as the sources of the official container image pin them too. */
const ARCHIVES = {
  'linux-x64': {
    name: `nats-server-v${PINNED}-linux-amd64`,
    sha256: '58ab8131f819263897e2fc38e503e1b755b63bcafeecc7d12582487df48ca15e',
  },
  'linux-arm64': {
    name: `nats-server-v${PINNED}-linux-arm64`,
    sha256: 'b724db99fefbf8f5c808baa82819ee50350aee9734017e4a478f7e545cef3ab6',
  },
}
/** The hash of the module's source, as in a go.sum. */
const HASH = 'h1:ETr9+LamgSyw+70x1iJm4J9m//sN5KSChQWk4uxJJJo='

/** Returns the version of a nats-server as numbers; undefined if the program does not run. */
async function versionOf(program) {
  const output = await run(program, ['--version'], { timeout: 10_000 }).catch(() => '')
  return /v(\d+)\.(\d+)\.(\d+)/.exec(output)?.slice(1).map(Number)
}

function isNewEnough(version) {
  for (const [index, oldest] of OLDEST.entries()) {
    if (version[index] !== oldest) return version[index] > oldest
  }
  return true
}

function findOnPath(program) {
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    const file = join(folder, program)
    try {
      accessSync(file, constants.X_OK)
      return file
    } catch {
      // try the next folder
    }
  }
  return undefined
}

/** Downloads the pinned release. Its checksum is ours: the release's own list would say only that the release is itself. */
async function fromRelease(folder) {
  const { name, sha256 } = ARCHIVES[`${process.platform}-${process.arch}`] ?? {}
  if (!name) throw new Error(`no checksum is known for ${process.platform} on ${process.arch}`)
  const url = `https://github.com/nats-io/nats-server/releases/download/v${PINNED}/${name}.tar.gz`
  writeFileSync(join(folder, 'nats-server.tar.gz'), await downloadVerified(url, sha256))
  await run('tar', ['-xzf', 'nats-server.tar.gz'], { cwd: folder })
  return join(folder, name, 'nats-server')
}

/**
 * Compiles the pinned version. Its module must have the pinned hash, and with it comes the list of the hashes of everything that it
 * is compiled from (its go.sum), which `-mod=readonly` holds Go to.
 */
async function fromGo(folder) {
  const { Dir, Sum } = JSON.parse(await run('go', ['mod', 'download', '-json', `${MODULE}@v${PINNED}`]))
  if (Sum !== HASH) throw new Error(`${MODULE} ${PINNED} has the hash ${Sum}, not ${HASH}`)
  const program = join(folder, 'nats-server')
  const env = { ...process.env, CGO_ENABLED: '0' }
  await run('go', ['build', '-mod=readonly', '-buildvcs=false', '-trimpath', '-o', program, '.'], { cwd: Dir, env })
  return program
}

/** Installs the system's package, if that needs no password. */
async function fromSystem() {
  if (findOnPath('brew')) {
    await run('brew', ['install', 'nats-server'])
    return findOnPath('nats-server')
  }
  if (!findOnPath('apt-get')) throw new Error('there is neither apt-get nor brew')
  if (process.getuid?.() !== 0) throw new Error('apt-get needs root')
  const install = () => run('apt-get', ['install', '-y', '--no-install-recommends', 'nats-server'])
  await install().catch(() => run('apt-get', ['update']).then(install))
  return '/usr/sbin/nats-server'
}

/** Moves the program to its place, or puts a link there if it is outside the cache. */
function keep(program, folder, place) {
  if (program.startsWith(folder)) renameSync(program, place)
  else symlinkSync(program, place)
}

/** Tries one way after another until a nats-server runs and is new enough. */
async function fetchNatsServer(place, tooOld) {
  const ways = [
    { title: `Downloading nats-server ${PINNED}`, from: fromRelease },
    { title: `Compiling nats-server ${PINNED} with Go`, from: fromGo, needs: 'go' },
    { title: 'Installing nats-server with the package manager', from: fromSystem },
  ]
  const failures = tooOld ? [tooOld] : []
  for (const { title, from, needs } of ways) {
    if (needs && !findOnPath(needs)) continue
    const folder = mkdtempSync(`${place}-`)
    try {
      await step(title, async () => {
        const program = await from(folder)
        const version = await versionOf(program)
        if (!version || !isNewEnough(version)) throw new Error(`it is version ${version?.join('.') ?? 'unknown'}`)
        keep(program, folder, place)
      })
      return
    } catch (error) {
      const reason = (error.cause?.message ?? error.message).split('\n').at(-1)
      failures.push(`${title}: ${reason}`)
      console.log(`  failed (${reason})`)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  }
  throw new ProblemForUser(
    `There is no nats-server:\n${failures.map((failure) => `  ${failure}`).join('\n')}`,
    `Put nats-server ${OLDEST.join('.')} or newer on PATH (https://nats.io/download), then run the command again.`,
  )
}

/**
 * Ensures that `folder` has a nats-server: the program itself, or a link to the one on PATH.
 *
 * @throws ProblemForUser if there is none and no way to get one works
 */
export async function ensureNatsServer(folder) {
  const place = join(folder, 'nats-server')
  const known = await versionOf(place)
  if (known && isNewEnough(known)) return
  mkdirSync(folder, { recursive: true })
  rmSync(place, { force: true })
  const installed = findOnPath('nats-server')
  const version = installed && (await versionOf(installed))
  if (version && isNewEnough(version)) return symlinkSync(installed, place)
  await fetchNatsServer(
    place,
    installed && `${installed} is version ${version?.join('.') ?? 'unknown'}, which is too old`,
  )
}
