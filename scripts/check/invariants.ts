import { examplesAreRun } from './examples.ts'
import { foldersHaveNoCycles } from './folder-cycles.ts'
import { isTest, places, readSourceTree, type SourceTree } from './source-tree.ts'
import { citationsExist, walksAreTrue, wordsAreOfTheField } from './texts.ts'

/** Rules that no tool knows of, by title. Each returns the places that break it. */
const RULES: Record<string, (tree: SourceTree) => string[]> = {
  'no service imports another service': servicesStandAlone,
  'no service opens the database of another': databasesAreOwn,
  'only its adapter knows a payment provider': providersAreBehindThePort,
  'in a service, only main.ts touches the process': processIsMain,
  'files, and folders below src, keep their size': sizesAreKept,
  'every version stands once, in the catalog': versionsAreInCatalog,
  'names say what a thing is for': namesAreTelling,
  'no folder of a service imports one that imports it': foldersHaveNoCycles,
  'texts cite what is in the repository': citationsExist,
  'every example of a document is run': examplesAreRun,
  'words are those of the field': wordsAreOfTheField,
  'the walks of the architecture are true': walksAreTrue,
}

/** The invariants as checks, over one reading of the tree. */
export function invariants(root: string): { title: string; run: () => Promise<string[]> }[] {
  let tree: SourceTree | undefined
  return Object.entries(RULES).map(([title, rule]) => ({
    title,
    run: async () => rule((tree ??= readSourceTree(root))),
  }))
}

/** The service whose folder a file is in. */
function serviceOf(path: string): string | undefined {
  return /^services\/([^/]+)\//.exec(path)?.[1]
}

export function servicesStandAlone({ sources, manifests, services }: SourceTree): string[] {
  const isService = (name: string): boolean => services.includes(name)
  // The checker's own tests name what it must find.
  const checked = sources.filter(({ path }) => !path.startsWith('scripts/check/'))
  const imports = checked.flatMap((file) => {
    const own = serviceOf(file.path)
    return [
      ...places(file, /(?:from|import\(?)\s*'@frontdesk\/([\w-]+)/, ([, name = '']) => isService(name) && name !== own),
      ...places(
        file,
        /(?:from|import\(?)\s*'[^']*services\/([\w-]+)\//,
        ([, name = '']) => isService(name) && name !== own,
      ),
      ...places(
        file,
        /(?:from|import\(?)\s*'(?:\.\.\/)+([\w-]+)\/src\//,
        ([, name = '']) => isService(name) && name !== own,
      ),
    ]
  })
  const dependencies = manifests.flatMap(({ path, content }) =>
    Object.keys({ ...content.dependencies, ...content.devDependencies })
      .filter((name) => isService(name.replace('@frontdesk/', '')))
      .map((name) => `${path}: depends on ${name}`),
  )
  return [...imports, ...dependencies]
}

export function databasesAreOwn({ sources }: SourceTree): string[] {
  return sources.flatMap((file) => {
    const service = serviceOf(file.path)
    if (service === undefined) return []
    const prefix = service.toUpperCase().replaceAll('-', '_')
    const own = [`${prefix}_DATABASE_URL`, `${prefix}_DIRECT_DATABASE_URL`]
    return [
      ...places(file, /\b([A-Z][A-Z_]*_DATABASE_URL)\b/, ([, variable = '']) => !own.includes(variable)),
      ...places(file, /throwAwayDatabase\('([\w-]+)'\)/, ([, name]) => name !== service),
    ]
  })
}

/** Where a provider may be named: its adapter, the registry of providers, the values of the interface, and its imitations. */
const namesProviders = new RegExp(
  [
    'libs/providers/src/(?:stripe/|settings.ts)',
    'libs/contracts/src/enumerations.ts',
    'libs/testing/',
    'services/gateway/src/documents/',
    'services/sandbox-provider/',
  ].join('|'),
)

export function providersAreBehindThePort({ sources }: SourceTree): string[] {
  return sources
    .filter(({ path }) => /^(?:libs|services)\/[^/]+\/src\//.test(path) && !namesProviders.test(path) && !isTest(path))
    .flatMap((file) => places(file, /stripe/i, ({ input }) => !/^\s*(?:\/?\*|\/\/)/.test(input)))
}

export function processIsMain({ sources }: SourceTree): string[] {
  return sources
    .filter(({ path }) => /^services\/[^/]+\/src\//.test(path) && !path.endsWith('/src/main.ts') && !isTest(path))
    .flatMap((file) =>
      places(file, /\bprocess\.(?:env|exit|on|argv|stdout|stderr|kill|cwd)\b|from '(?:node:)?process'/),
    )
}

const SOURCE_LINES = 300
const TEST_LINES = 500
const FOLDER_LEVELS = 3

export function sizesAreKept({ sources }: SourceTree): string[] {
  return sources.flatMap(({ path, text }) => {
    const lines = text.split('\n').length - 1
    const most = isTest(path) ? TEST_LINES : SOURCE_LINES
    const levels = /\/src\/(.*)\//.exec(path)?.[1]?.split('/').length ?? 0
    return [
      ...(lines > most ? [`${path}: ${lines} lines, at most ${most}`] : []),
      ...(levels > FOLDER_LEVELS ? [`${path}: ${levels} folders below src, at most ${FOLDER_LEVELS}`] : []),
    ]
  })
}

export function versionsAreInCatalog({ manifests }: SourceTree): string[] {
  return manifests.flatMap(({ path, content }) => {
    const all = Object.entries({ ...content.dependencies, ...content.devDependencies, ...content.optionalDependencies })
    return all.flatMap(([name, version]) => {
      // Node and pnpm are no libraries, and are named by nobody else; the catalog is pnpm's.
      if (/^(node-|@pnpm\/exe\.)(linux|darwin)-/.test(name)) return []
      const expected = name.startsWith('@frontdesk/') ? /^workspace:\*$/ : /^catalog:[\w-]*$/
      return expected.test(version) ? [] : [`${path}: ${name} is "${version}" and not of the catalog`]
    })
  })
}

const EMPTY_NAMES =
  /^(utils?|helpers?|common|shared|core|misc|lib|controllers?|repositor(y|ies)|managers?|types|constants)$/

export function namesAreTelling({ sources }: SourceTree): string[] {
  return sources.flatMap(({ path }) => {
    const names = path.replace(/\.(test\.)?\w+$/, '').split('/')
    return names.some((name) => EMPTY_NAMES.test(name)) ? [`${path}: name it after what it is for`] : []
  })
}
