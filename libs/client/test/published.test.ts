import { execFile } from 'node:child_process'
import { mkdir, readFile, realpath, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { throwAwayFolder } from '@frontdesk/testing/throw-away-folder'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { json, openGatewayDouble } from './gateway-double.ts'

const libraries = join(import.meta.dirname, '../..')
const root = join(libraries, '..')
const run = promisify(execFile)

/** The project of a customer, with the published package in its node_modules. */
let project: Awaited<ReturnType<typeof throwAwayFolder>>
beforeAll(async () => {
  project = await throwAwayFolder()
  await writeFile(join(project.path, 'package.json'), JSON.stringify({ type: 'module' }))
  await install('contracts', {})
  await install('client', { paths: { '@frontdesk/contracts': [join(installed('contracts'), 'dist/index.d.ts')] } })
  await link('@types/node', join(root, 'node_modules/@types/node'))
})
afterAll(() => project[Symbol.asyncDispose]())

const installed = (name: string) => join(project.path, 'node_modules/@frontdesk', name)

async function link(name: string, target: string): Promise<void> {
  const place = join(project.path, 'node_modules', name)
  await mkdir(dirname(place), { recursive: true })
  await symlink(await realpath(target), place)
}

/** Builds a package and puts it where `npm install` would, with the manifest that `publishConfig` gives it. */
async function install(name: string, compilerOptions: object): Promise<void> {
  const source = join(libraries, name)
  const manifest = JSON.parse(await readFile(join(source, 'package.json'), 'utf8')) as Manifest
  expect(manifest.files).toEqual(['dist'])
  const config = join(project.path, `tsconfig.${name}.json`)
  const outDir = join(installed(name), 'dist')
  const settings = {
    extends: join(source, 'tsconfig.build.json'),
    compilerOptions: {
      ...compilerOptions,
      outDir,
      rootDir: join(source, 'src'),
      typeRoots: [join(root, 'node_modules/@types')],
    },
    include: [join(source, 'src')],
    exclude: [join(source, 'src/**/*.test.ts')],
  }
  await writeFile(config, JSON.stringify(settings))
  await compile(config)
  await writeFile(join(installed(name), 'package.json'), JSON.stringify({ ...manifest, ...manifest.publishConfig }))
  for (const dependency of Object.keys(manifest.dependencies)) {
    if (!dependency.startsWith('@frontdesk/')) await link(dependency, join(source, 'node_modules', dependency))
  }
}
interface Manifest {
  files: string[]
  dependencies: Record<string, string>
  publishConfig: object
}

async function compile(config: string): Promise<void> {
  const tsc = join(root, 'node_modules/.bin/tsc')
  await run(tsc, ['-p', config], { cwd: root }).catch((failed: { stdout: string }) => {
    throw new Error(failed.stdout)
  })
}

test('the examples of README.md compile in a project that has only the published package', async () => {
  const readme = await readFile(join(libraries, 'client/README.md'), 'utf8')
  const examples = [...readme.matchAll(/^```ts\n([^]*?)^```/gm)].map(([, code = '']) => code)
  expect(examples.length).toBeGreaterThan(5)
  // Later examples use the variables of earlier ones.
  await writeFile(join(project.path, 'readme.ts'), examples.join('\n'))
  const config = join(project.path, 'tsconfig.json')
  const compilerOptions = { module: 'nodenext', target: 'ES2022', strict: true, noEmit: true, types: ['node'] }
  await writeFile(config, JSON.stringify({ compilerOptions, files: ['readme.ts'] }))
  await compile(config)
}, 90_000)

test('the published package is plain JavaScript that calls operations, walks pages and verifies webhooks', async () => {
  await using gateway = await openGatewayDouble()
  gateway.answers(
    json(200, { Items: [{ SiteSlug: 'sOne1' }], NextPageToken: 't' }),
    json(200, { Items: [{ SiteSlug: 'sTwo2' }] }),
  )
  const program = `
    import { createClient, eachItem, verifyWebhook, WebhookVerificationError } from '@frontdesk/client'
    const frontdesk = createClient({ baseUrl: process.argv[2], credentials: { clientId: 'a', clientSecret: 'b' } })
    for await (const site of eachItem((page) => frontdesk.listSites({ query: page }))) console.log(site.SiteSlug)
    try {
      verifyWebhook({ body: '{}', headers: {}, secret: 'whsec_AAAA' })
    } catch (error) {
      console.log(error instanceof WebhookVerificationError)
    }
  `
  await writeFile(join(project.path, 'program.js'), program)
  const { stdout, stderr } = await run(process.execPath, ['program.js', gateway.url], { cwd: project.path })
  expect(stderr).toBe('')
  expect(stdout.trim().split('\n')).toEqual(['sOne1', 'sTwo2', 'true'])
})
