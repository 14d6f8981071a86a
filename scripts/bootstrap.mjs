/**
 * Prepares a checkout: dependencies, generated database clients, the documentation site, nats-server. Every npm script runs it first, so it is
 * quick and silent when there is nothing to do. Plain JavaScript without dependencies: it runs on the machine's own
 * Node, before anything is installed.
 *
 * With npm's `--omit=dev` (`npm start --omit=dev`, `npm run bootstrap --omit=dev`) it leaves out the devDependencies:
 * the packages that only tests, checks and benches need. The next npm script without that option adds them.
 */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, delimiter, join, resolve } from 'node:path'
import { ensureNatsServer } from './bootstrap/nats-server.mjs'
import { ensurePnpm } from './bootstrap/pnpm.mjs'
import { ProblemForUser, run, step } from './bootstrap/steps.mjs'

const ROOT = resolve(import.meta.dirname ?? new URL('.', import.meta.url).pathname, '..')
/** In node_modules, so that removing that folder removes the cache too, and removing `.frontdesk` does not. */
const CACHE = join(ROOT, 'node_modules', '.cache', 'frontdesk')
const OLDEST_NODE = 20
/** Major version that runs the code. On Linux it comes from npm, elsewhere it is the machine's own. */
const CODE_NODE = 24

function fileHash(files) {
  const hash = createHash('sha256')
  for (const file of files) hash.update(file).update(existsSync(file) ? readFileSync(file) : '')
  return hash.digest('hex')
}

/** Remembers that a step was done: `isCurrent` is true while its input files, and `kind`, are those of the last time. */
function stampOf(name, files, kind = '') {
  const stamp = join(CACHE, `${name}.stamp`)
  const hash = fileHash(files) + kind
  return {
    isCurrent: () => existsSync(stamp) && readFileSync(stamp, 'utf8') === hash,
    remember() {
      mkdirSync(CACHE, { recursive: true })
      writeFileSync(stamp, hash)
    },
  }
}

function packageFolders() {
  return ['libs', 'services'].flatMap((parent) =>
    readdirSync(join(ROOT, parent))
      .map((name) => join(ROOT, parent, name))
      .filter((folder) => existsSync(join(folder, 'package.json'))),
  )
}

function checkNode() {
  const major = Number(process.versions.node.split('.')[0])
  if (major < OLDEST_NODE) {
    throw new ProblemForUser(
      `Node ${process.versions.node} is too old.`,
      `Install Node ${CODE_NODE} (at least ${OLDEST_NODE}).`,
    )
  }
  if (process.platform === 'win32') {
    throw new ProblemForUser('Windows is not supported.', 'Use WSL 2, where this is Linux.')
  }
  const comesFromNpm = process.platform === 'linux' && ['x64', 'arm64'].includes(process.arch)
  if (!comesFromNpm && major < CODE_NODE) {
    throw new ProblemForUser(
      `Node ${process.versions.node} is too old for ${process.platform}-${process.arch}.`,
      `Install Node ${CODE_NODE} or newer: it comes from npm only on Linux with x64 or arm64.`,
    )
  }
}

async function installDependencies() {
  const { packageManager } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  const manifests = [ROOT, ...packageFolders()].map((folder) => join(folder, 'package.json'))
  const inputs = [...manifests, join(ROOT, 'pnpm-lock.yaml'), join(ROOT, 'pnpm-workspace.yaml')]
  // npm tells its scripts of an option by a variable.
  const omitsDev = (process.env.npm_config_omit ?? '').split(/\s+/).includes('dev')
  const full = stampOf('dependencies', inputs)
  const production = stampOf('dependencies', inputs, ' production')
  const isInstalled = existsSync(join(ROOT, 'node_modules', '.modules.yaml'))
  if (isInstalled && (full.isCurrent() || (omitsDev && production.isCurrent()))) return
  const kind = omitsDev ? ' for production' : ''
  const install = async () => {
    const [command, ...first] = await ensurePnpm(packageManager, CACHE)
    await run(command, [...first, 'install', `--prod=${omitsDev}`, '--frozen-lockfile'], { cwd: ROOT })
  }
  await step(`Installing the dependencies${kind} from the lockfile with ${packageManager}`, () =>
    install().catch((error) => {
      throw new ProblemForUser(
        `The dependencies could not be installed:\n${error.message}`,
        /OUTDATED_LOCKFILE/.test(error.message)
          ? `A package.json was changed: run "npm run pnpm -- install" and keep the new pnpm-lock.yaml.`
          : 'Check that npm can reach its registry (npm ping), then run the command again.',
      )
    }),
  )
  await checkCodeNode()
  const done = omitsDev ? production : full
  done.remember()
}

/** Returns the Node that runs the code: the one from npm if it is installed. */
function codeNode() {
  const fromNpm = join(ROOT, 'node_modules', '.bin', 'node')
  return existsSync(fromNpm) ? fromNpm : process.execPath
}

async function checkCodeNode() {
  await run(codeNode(), ['--version']).catch((error) => {
    throw new ProblemForUser(
      `The Node ${CODE_NODE} that was installed from npm does not run here: ${error.message}`,
      'It needs glibc: on Alpine Linux, for example, use a Debian image.',
    )
  })
}

/** Generates the Prisma clients again if their schema or the generator has changed. */
async function generateClients() {
  const stale = packageFolders()
    .map((folder) => ({ folder, schema: join(folder, 'prisma', 'schema.prisma') }))
    .filter(({ schema }) => existsSync(schema))
    // The lockfile has the version of the generator.
    .map((service) => ({
      ...service,
      name: basename(service.folder),
      stamp: stampOf(`prisma-${basename(service.folder)}`, [service.schema, join(ROOT, 'pnpm-lock.yaml')]),
    }))
    .filter(({ folder, stamp }) => !stamp.isCurrent() || !existsSync(join(folder, 'src/generated/prisma/client.ts')))
  if (stale.length === 0) return
  await step(`Generating the database clients of ${stale.map(({ name }) => name).join(', ')}`, () =>
    Promise.all(stale.map(generateClient)),
  )
}

async function generateClient({ folder, schema, name, stamp }) {
  const cli = join(folder, 'node_modules', 'prisma', 'build', 'index.js')
  // Prisma starts its schema engine with the first `node` on PATH.
  const PATH = [join(ROOT, 'node_modules', '.bin'), process.env.PATH].join(delimiter)
  await run(codeNode(), [cli, 'generate'], { cwd: folder, env: { ...process.env, PATH } }).catch((error) => {
    throw new ProblemForUser(
      `The database client of ${name} could not be generated:\n${error.message}`,
      `Check ${schema}.`,
    )
  })
  stamp.remember()
}

/** The npm scripts that need the documentation site: the system serves it, and tests read it. */
const readers = ['bootstrap', 'prestart', 'pretest']

/** Builds the documentation site again if one of its sources has changed. Without its generator, a devDependency, it is not built. */
async function buildSite() {
  if (!readers.includes(process.env.npm_lifecycle_event ?? 'bootstrap')) return
  if (!existsSync(join(ROOT, 'node_modules', 'vitepress'))) return
  const files = ['docs', 'scripts/site', 'libs/contracts/src', 'libs/problems/src'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath ?? entry.path, entry.name)),
  )
  const stamp = stampOf('site', [...files.sort(), join(ROOT, 'pnpm-lock.yaml')])
  if (stamp.isCurrent() && existsSync(join(CACHE, 'site', 'index.html'))) return
  await step('Building the documentation site', () =>
    run(codeNode(), [join(ROOT, 'scripts', 'site', 'build.ts')], { cwd: ROOT }).catch((error) => {
      throw new ProblemForUser(
        `The documentation site could not be built:\n${error.message}`,
        'Check docs/ and scripts/site.',
      )
    }),
  )
  stamp.remember()
}

async function main() {
  checkNode()
  // In parallel: the download (or compilation) of nats-server and the installation use different resources.
  const natsServer = ensureNatsServer(join(CACHE, 'bin'))
  natsServer.catch(() => {}) // thrown by the `await` below
  await installDependencies()
  await Promise.all([generateClients(), buildSite()])
  await natsServer
}

try {
  await main()
} catch (error) {
  if (!(error instanceof ProblemForUser)) throw error
  console.error(`\n${error.message}\n\n-> ${error.advice}`)
  // Not process.exitCode: other steps may still be running.
  process.exit(1)
}
