import { existsSync, readdirSync, readFileSync, readlinkSync, realpathSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'

const ROOT = resolve(import.meta.dirname, '../..')

/** What goes into an image, by the path below its root folder, which is the same as in the checkout. */
export interface Contents {
  /** Paths of files. */
  files: Set<string>
  /** Targets of symbolic links, relative to their folders, by path. */
  links: Map<string, string>
}

/** Packages that migrate a database. A service never does. */
const MIGRATES = new Set(['prisma', '@prisma/schema-engine-wasm'])

/** Files of npm packages that Node never loads here; three quarters of @prisma/client are engines of other databases. */
const UNUSED = [
  /\.d\.[cm]?ts$/,
  /\.map$/,
  /\.(test|spec)\.[cm]?[jt]s$/,
  /(^|\/)CHANGELOG\.md$/,
  /^node_modules\/\.pnpm\/@prisma\+client@.*\/runtime\/(query_compiler_(?!fast_bg\.postgresql\.)|wasm-compiler-edge)/,
]

/** Files of our packages that only tests load. */
const TESTS = /\.test\.ts$|\/testing\.ts$/

interface Manifest {
  name?: string
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
  peerDependencies?: Record<string, string>
  peerDependenciesMeta?: Record<string, { optional?: boolean }>
}

/** Returns what a service needs to run: its source, that of the libs, and the packages which these declare. */
export function serviceContents(service: string): Contents {
  const { contents, addOwnPackage, addFolder } = collector((name) => !MIGRATES.has(name) && !name.startsWith('@types/'))
  const folder = join('services', service)
  addOwnPackage(folder)
  // Readiness compares the database with the newest migration.
  addFolder(join(folder, 'prisma'))
  if (service === 'gateway') {
    const site = 'node_modules/.cache/frontdesk/site'
    if (!existsSync(join(ROOT, site, 'index.html')))
      throw new Error('There is no documentation site yet. Run: npm run docs')
    addFolder(site)
  }
  return contents
}

/** Returns what provisioning needs: its scripts, every service's migrations, and Prisma's command. */
export function provisionContents(): Contents {
  const { contents, addOwnPackage, addDependency, addFolder, addFile } = collector(() => true)
  addFile('package.json')
  addFolder('scripts/compose')
  for (const name of ['provision', 'print-nats-users', 'print-postgres-roles']) addFile(`scripts/${name}.ts`)
  for (const name of ['contracts', 'database', 'dev-stack', 'events']) {
    addOwnPackage(`libs/${name}`)
    addDependency('.', `@frontdesk/${name}`)
  }
  for (const service of readdirSync(join(ROOT, 'services'))) {
    const folder = `services/${service}`
    if (!existsSync(join(ROOT, folder, 'package.json'))) continue
    addFile(`${folder}/package.json`)
    if (!existsSync(join(ROOT, folder, 'prisma.config.ts'))) continue
    addFile(`${folder}/prisma.config.ts`)
    addFolder(`${folder}/prisma`)
    addDependency(folder, '@frontdesk/database')
    addDependency(folder, 'prisma')
  }
  return contents
}

function collector(wants: (packageName: string) => boolean) {
  const contents: Contents = { files: new Set(), links: new Map() }
  const seen = new Set<string>()

  function addFile(path: string): void {
    contents.files.add(path)
  }

  function addFolder(folder: string, leaveOut: (path: string) => boolean = () => false): void {
    if (!existsSync(join(ROOT, folder))) return
    for (const entry of readdirSync(join(ROOT, folder), { withFileTypes: true })) {
      const path = join(folder, entry.name)
      if (leaveOut(path)) continue
      if (entry.isDirectory()) addFolder(path, leaveOut)
      else if (entry.isFile()) addFile(path)
    }
  }

  /** Adds a package of the workspace: its source without tests, and its dependencies. */
  function addOwnPackage(folder: string): void {
    if (seen.has(folder)) return
    seen.add(folder)
    addFile(join(folder, 'package.json'))
    addFolder(join(folder, 'src'), (path) => TESTS.test(path))
    for (const name of Object.keys(manifestOf(folder).dependencies ?? {})) addDependency(folder, name)
  }

  /** Adds a link below a package's `node_modules`, and the package that it leads to. */
  function addDependency(folder: string, name: string): void {
    if (wants(name)) addLink(join(folder, 'node_modules', name))
  }

  function addLink(link: string): void {
    const absolute = join(ROOT, link)
    contents.links.set(link, readlinkSync(absolute))
    const target = relative(ROOT, realpathSync(absolute))
    if (target.startsWith('libs/')) addOwnPackage(target)
    else addInstalledPackage(target)
  }

  /** Adds a package of npm. pnpm links what it depends on beside it. */
  function addInstalledPackage(folder: string): void {
    if (seen.has(folder)) return
    seen.add(folder)
    addFolder(folder, (path) => path.endsWith('node_modules/.bin') || UNUSED.some((one) => one.test(path)))
    const manifest = manifestOf(folder)
    const peers = Object.keys(manifest.peerDependencies ?? {}).filter(
      (name) => manifest.peerDependenciesMeta?.[name]?.optional !== true,
    )
    const names = new Set([
      ...Object.keys(manifest.dependencies ?? {}),
      ...Object.keys(manifest.optionalDependencies ?? {}),
      ...peers,
    ])
    const beside = folder.slice(0, folder.lastIndexOf('node_modules/') + 'node_modules'.length)
    for (const name of names) {
      const link = join(beside, name)
      // Optional packages of other platforms are not installed, and bundled ones are in the package's own folder.
      if (wants(name) && existsSync(join(ROOT, link)) && link !== folder) addLink(link)
    }
  }

  return { contents, addFile, addFolder, addOwnPackage, addDependency }
}

function manifestOf(folder: string): Manifest {
  return JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8')) as Manifest
}

/** Returns the folder of the checkout that a path of the contents is in. */
export function sourceOf(path: string): string {
  return join(ROOT, path)
}

/** Lists the folders of the contents, each before those in it. */
export function foldersOf({ files, links }: Contents): string[] {
  const folders = new Set<string>()
  for (const path of [...files, ...links.keys()])
    for (let folder = dirname(path); folder !== '.'; folder = dirname(folder)) folders.add(folder)
  return [...folders].sort()
}
