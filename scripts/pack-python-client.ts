import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import process from 'node:process'
import { promisify } from 'node:util'

const root = resolve(import.meta.dirname, '..')
const source = join(root, 'libs/client/python')
const run = promisify(execFile)

/**
 * Generates the Python client from the printed OpenAPI document, adds our own modules, and builds its wheel into a folder.
 * `python` is Python 3.11 or newer. The first time it installs the generator, from the index that pip is set to.
 */
export async function packPythonClient(python: string, folder: string): Promise<void> {
  const tools = await toolsFor(python)
  const build = await mkdtemp(join(tmpdir(), 'frontdesk-python-'))
  try {
    await cp(source, build, { recursive: true })
    const document = join(root, 'docs/contracts/openapi.json')
    const generated = join(build, 'generated')
    const settings = join(source, 'generator.yaml')
    // Its hooks find ruff on the path.
    const env = { ...process.env, PATH: `${tools}:${process.env['PATH'] ?? ''}` }
    const generate = [
      'generate',
      '--path',
      document,
      '--meta',
      'none',
      '--config',
      settings,
      '--output-path',
      generated,
    ]
    await run(join(tools, 'openapi-python-client'), [...generate, '--fail-on-warning'], { cwd: build, env })
    await cp(generated, join(build, 'frontdesk_client'), { recursive: true })
    await rm(generated, { recursive: true })
    const wheel = ['-m', 'pip', 'wheel', '--quiet', '--no-deps', '--no-build-isolation', '--wheel-dir', folder, build]
    await run(join(tools, 'python'), wheel)
  } finally {
    await rm(build, { recursive: true, force: true })
  }
}

/** Returns the folder of the programs that generate and build. They are installed once for each list of requirements. */
async function toolsFor(python: string): Promise<string> {
  const requirements = join(source, 'requirements.txt')
  const stamp = createHash('sha256')
    .update(await readFile(requirements))
    .digest('hex')
    .slice(0, 12)
  const place = join(root, 'node_modules/.cache/frontdesk', `python-tools-${stamp}`)
  const isComplete = join(place, 'complete')
  if (!existsSync(isComplete)) {
    await run(python, ['-m', 'venv', '--clear', place])
    await run(join(place, 'bin/python'), ['-m', 'pip', 'install', '--quiet', '-r', requirements])
    await writeFile(isComplete, '')
  }
  return join(place, 'bin')
}

if (import.meta.main) {
  const folder = resolve(process.argv[2] ?? 'libs/client/python/dist')
  await packPythonClient('python3', folder)
  console.log(`The wheel is in ${folder}.`)
}
