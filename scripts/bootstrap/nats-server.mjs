/** Finds a nats-server that is new enough, or fetches one, in the order that is quickest and surest. */
import { createHash } from 'node:crypto'
import { accessSync, constants, mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { ProblemForUser, run, step } from './steps.mjs'

const OLDEST = [2, 9, 10]
const PINNED = '2.12.15'
const RELEASES = `https://github.com/nats-io/nats-server/releases/download/v${PINNED}`
const ARCHITECTURES = { x64: 'amd64', arm64: 'arm64' }

/** The version that a nats-server prints, as numbers; undefined when it does not run. */
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
      // not in this one
    }
  }
  return undefined
}

async function download(url, timeout) {
  const response = await fetch(url, { signal: AbortSignal.timeout(timeout) })
  if (!response.ok) throw new Error(`${url} answered ${response.status}`)
  return Buffer.from(await response.arrayBuffer())
}

/** The pinned release, checked against the checksums that its makers published with it (both over HTTPS). */
async function fromRelease(folder) {
  const name = `nats-server-v${PINNED}-${process.platform}-${ARCHITECTURES[process.arch]}`
  // Asked for first and with little patience, so that a machine without access to it goes on at once.
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

/** Compiled from the pinned source; Go checks the source against its checksum database. */
async function fromGo(folder) {
  const env = { ...process.env, GOBIN: folder, CGO_ENABLED: '0' }
  await run('go', ['install', `github.com/nats-io/nats-server/v2@v${PINNED}`], { env })
  return join(folder, 'nats-server')
}

/** The system's own package, where that needs no password. */
async function fromSystem() {
  if (findOnPath('brew')) {
    await run('brew', ['install', 'nats-server'])
    return findOnPath('nats-server')
  }
  if (!findOnPath('apt-get')) throw new Error('neither apt-get nor brew is here')
  if (process.getuid?.() !== 0) throw new Error('apt-get needs root')
  const install = () => run('apt-get', ['install', '-y', '--no-install-recommends', 'nats-server'])
  await install().catch(() => run('apt-get', ['update']).then(install))
  return '/usr/sbin/nats-server'
}

/** Puts a program (or a link to one outside of the cache) in its place, at once. */
function keep(program, folder, place) {
  if (program.startsWith(folder)) renameSync(program, place)
  else symlinkSync(program, place)
}

/** Takes the first way that ends with a nats-server that runs and is new enough. */
async function fetchNatsServer(place, tooOld) {
  const ways = [
    { title: `Fetching nats-server ${PINNED}`, from: fromRelease },
    { title: `Compiling nats-server ${PINNED} with go install`, from: fromGo, needs: 'go' },
    { title: 'Installing nats-server with the package manager of this system', from: fromSystem },
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
      console.log(`  did not work (${reason}); trying the next way`)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  }
  throw new ProblemForUser(
    `There is no nats-server:\n${failures.map((failure) => `  ${failure}`).join('\n')}`,
    `Install nats-server ${OLDEST.join('.')} or newer so that it is on PATH (https://nats.io/download), and run the command again.`,
  )
}

/**
 * Makes sure that `folder` holds a nats-server: the program itself, or a link to the one on PATH.
 *
 * @throws ProblemForUser when there is none, and no way to get one works
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
