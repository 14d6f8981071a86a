import { execFile, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { cp, rename } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import process from 'node:process'
import { promisify } from 'node:util'

const root = resolve(import.meta.dirname, '../..')
const installed = join(root, 'node_modules/.cache/frontdesk/client-generators')
const document = join(root, 'docs/contracts/openapi.json')

/** A language for which a client is generated from the document, with a program that tells the demo's story by it. */
export interface Language {
  name: string
  /** The program without which nothing can be done in this language. */
  toolchain: string
  /** The generator: there once it is installed. */
  generator: string
  /** Installs the generator and what clients need. Only this uses the network. */
  install(): Promise<string>
  /** Generates a client and compiles it together with the story. Returns the warnings of the tools. */
  build(folder: string): Promise<string>
  /** The command that tells the story. */
  story(folder: string): { command: string; args: string[]; cwd: string }
}

/** Runs a program and returns everything that it has printed. Throws with that if it fails. */
async function run(command: string, args: string[], cwd: string, env: Record<string, string> = {}): Promise<string> {
  const options = { cwd, env: { ...process.env, ...env }, maxBuffer: 64 * 1024 * 1024 }
  const { stdout, stderr } = await promisify(execFile)(command, args, options).catch(
    ({ stdout, stderr, message }: { stdout: string; stderr: string; message: string }) => {
      throw new Error(`${message}\n${stdout}${stderr}`)
    },
  )
  return `${stdout}${stderr}`.trim()
}

const goFolder = join(import.meta.dirname, 'go')
const oapiCodegen = 'v2.8.2'
const offline = { GOPROXY: 'off', GOFLAGS: '-mod=readonly -buildvcs=false' }

const go: Language = {
  name: 'Go',
  toolchain: 'go',
  generator: join(installed, `oapi-codegen-${oapiCodegen}`, 'oapi-codegen'),
  async install() {
    const bin = join(installed, `oapi-codegen-${oapiCodegen}`)
    await run('go', ['install', `github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@${oapiCodegen}`], goFolder, {
      GOBIN: bin,
    })
    return run('go', ['mod', 'download'], goFolder)
  },
  async build(folder) {
    await cp(goFolder, folder, { recursive: true })
    const said = [await run(go.generator, ['-config', 'oapi-codegen.yaml', document], folder)]
    for (const args of [
      ['vet', './...'],
      ['build', '-o', 'story', '.'],
    ])
      said.push(await run('go', args, folder, offline))
    return said.join('')
  },
  story: (folder) => ({ command: join(folder, 'story'), args: [], cwd: folder }),
}

const pythonFolder = join(import.meta.dirname, 'python')
const requirements = join(pythonFolder, 'requirements.txt')
const environment = join(
  installed,
  `python-${createHash('sha256').update(readFileSync(requirements)).digest('hex').slice(0, 12)}`,
)

const python: Language = {
  name: 'Python',
  toolchain: 'python3',
  generator: join(environment, 'bin/openapi-python-client'),
  async install() {
    await run('python3', ['-m', 'venv', environment], pythonFolder)
    return run(join(environment, 'bin/pip'), ['install', '--quiet', '--requirement', requirements], pythonFolder)
  },
  async build(folder) {
    await cp(pythonFolder, folder, { recursive: true })
    const output = join(folder, 'client')
    const config = join(folder, 'openapi-python-client.yaml')
    const said = await run(
      python.generator,
      ['generate', '--path', document, '--config', config, '--output-path', output, '--fail-on-warning'],
      folder,
    )
    // Beside the package, where Python finds it.
    await rename(join(folder, 'story.py'), join(output, 'story.py'))
    // Every module, as the interpreter compiles it.
    const compiled = await run(
      join(environment, 'bin/python'),
      ['-W', 'error', '-m', 'compileall', '-q', folder],
      folder,
    )
    return said.replace(`Generating ${output}`, '') + compiled
  },
  story: (folder) => ({
    command: join(environment, 'bin/python'),
    args: ['-W', 'error', 'story.py'],
    cwd: join(folder, 'client'),
  }),
}

export const languages: readonly Language[] = [go, python]

/** Whether this machine has the compiler or interpreter of a language. */
export function hasToolchain({ toolchain }: Language): boolean {
  return spawnSync(toolchain, ['version']).error === undefined
}

/** Returns why a language cannot be tested on this machine, and prints it; undefined if it can. */
export function lackOf(language: Language): string | undefined {
  const { name, toolchain, generator } = language
  if (hasToolchain(language) && existsSync(generator)) return undefined
  const remedy = hasToolchain(language)
    ? 'Install its generator: node e2e/generated-clients/install.ts.'
    : `Install ${toolchain}, then run node e2e/generated-clients/install.ts.`
  const lack = `The test of the client generated for ${name} is skipped. ${remedy}`
  process.stderr.write(`${lack}\n`)
  return lack
}
