import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { serviceFolder, serviceNames } from '@frontdesk/database/service-databases'
import type { Program } from '@frontdesk/operate'
import { runCommand } from '@frontdesk/operate/testing'
import { expect, test } from 'vitest'
import { examplesOf } from './check/examples.ts'

const root = join(import.meta.dirname, '..')

const folders = serviceNames().map((name) => [name, join(serviceFolder(name), 'src')] as const)
const operable = new Map(folders.filter(([, folder]) => existsSync(join(folder, 'operate.ts'))))

/** Calls a command as a document shows it, without a configuration: its program reads it, and gets no further. Returns why not. */
async function refusalOf(line: string): Promise<string | undefined> {
  const [, service = '', words = ''] = /^npm run operate -- (\S+) (.*?)(?:\s+#.*)?$/.exec(line) ?? []
  const folder = operable.get(service)
  if (folder === undefined) return `${line}: there are no commands of such a service`
  const { program } = (await import(join(folder, 'commands.ts'))) as { program: Program<AsyncDisposable> }
  const { code, text } = await runCommand(program, words.split(' '), {})
  return code === 1 ? undefined : `${line}: ${text}`
}

test('every command of an operator that a document shows is one of its service, with these options', async () => {
  const pages = ['README.md', 'docs/operating.md', 'docs/stripe.md']
  const shown = pages
    .flatMap((path) => examplesOf({ path, text: readFileSync(join(root, path), 'utf8') }))
    .flatMap(({ info, lines }) => (info === 'sh' ? lines : []))
    .filter((line) => line.startsWith('npm run operate') && !line.includes('COMMAND'))
  expect(shown.length).toBeGreaterThan(10)
  const refusals = await Promise.all(shown.map(refusalOf))
  expect(refusals.filter((refusal) => refusal !== undefined)).toEqual([])
  expect(await refusalOf('npm run operate -- payments outbox replay --until 2h')).toContain('--until')
})
