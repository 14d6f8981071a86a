/** Finds a nats-server that is new enough, or gets one in the quickest way that works. */
import { createHash } from 'node:crypto'
import { accessSync, constants, mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { ProblemForUser, run, step } from './steps.mjs'

const OLDEST = [2, 9, 10]
const PINNED = '2.12.15'
const RELEASES = `https://github.com/nats-io/nats-server/releases/download/v${PINNED}`
const ARCHITECTURES = { x64: 'amd64', arm64: 'arm64' }

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

async function download(url, timeout) {
  const response = await fetch(url, { signal: AbortSignal.timeout(timeout) })
  if (!response.ok) throw new Error(`${url} answered ${response.status}`)
  return Buffer.from(await response.arrayBuffer())
}

/** Downloads the pinned release and checks it against the release's published checksums. */
async function fromRelease(folder) {
  const name = `nats-server-v${PINNED}-${process.platform}-${ARCHITECTURES[process.arch]}`
  // A short timeout, so that a machine without access to GitHub soon tries the next way.
  const sums = (await download(`${RELEASES}/SHA256SUMS`, 8_000)).toString('utf8')
  const expected = sums
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .find(([, file]) => file === `${name}.tar.gz`)?.[0]
  if (!expected) throw new Error(`there is no ${name}.tar.gz in release ${PINNED}`)
  const archive = await download(`${RELEASES}/${name}.tar.gz`, 5 * 60_000)
  if (createHash('sha256').update(archive).digest('hex') !== expected)
    throw new Error(`the checksum of ${name}.tar.gz is wrong`)
  writeFileSync(join(folder, 'nats-server.tar.gz'), archive)
  await run('tar', ['-xzf', 'nats-server.tar.gz'], { cwd: folder })
  return join(folder, name, 'nats-server')
}

/** Compiles the pinned version; Go checks its source against Go's checksum database. */
async function fromGo(folder) {
  const env = { ...process.env, GOBIN: folder, CGO_ENABLED: '0' }
  await run('go', ['install', `github.com/nats-io/nats-server/v2@v${PINNED}`], { env })
  return join(folder, 'nats-server')
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
    { title: `Compiling nats-server ${PINNED} with go install`, from: fromGo, needs: 'go' },
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
