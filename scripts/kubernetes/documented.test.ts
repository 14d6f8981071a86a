import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { readKeyRing } from '@frontdesk/service/encryption'
import { openMountedIssuer } from '@frontdesk/service/tokens'
import { pino } from 'pino'
import { beforeAll, expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { overlays, render, renderAll, renderer, root, withoutRenderer } from './manifests.ts'
import { readManifest, services } from './services.ts'

const page = readFileSync(join(root, 'docs/deploying.md'), 'utf8')
const blocks = [...page.matchAll(/^```sh ?(\w*)\n([\s\S]*?)^```$/gm)].map(([, name = '', text = '']) => ({
  name,
  text,
}))
const commands = blocks.flatMap(({ text }) => text.split('\n').filter((line) => line.trim() !== ''))

beforeAll(renderAll, 300_000)

test('each folder that docs/deploying.md applies renders, and each object that it waits for is in one', ({ skip }) => {
  skip(renderer === undefined, withoutRenderer)
  const applied = commands.flatMap((line) => /apply --kustomize deploy\/kubernetes\/(\S+)/.exec(line)?.[1] ?? [])
  expect(applied.length).toBeGreaterThan(4)
  expect(applied.filter((folder) => !overlays().includes(folder))).toEqual([])
  const known = new Set(render('production').map(({ kind, metadata }) => `${kind.toLowerCase()}/${metadata.name}`))
  const named = [...page.matchAll(/\b((?:deployment|job)\/[\w.-]+)/g)].map(([, name = '']) => name)
  expect(named.filter((name) => !known.has(name))).toEqual([])
  const values = commands.flatMap((line) => /--values (\S+)/.exec(line)?.[1] ?? [])
  for (const file of values) expect(parse(readFileSync(join(root, file), 'utf8')), file).toBeTypeOf('object')
})

test('the images that docs/deploying.md builds are those of the production overlay', ({ skip }) => {
  skip(renderer === undefined, withoutRenderer)
  const text = blocks.find(({ name }) => name === 'images')?.text ?? ''
  const built = /for service in (.*); do/.exec(text)?.[1]?.split(' ') ?? []
  const images = overlaysOf('production').flatMap((folder) =>
    [...JSON.stringify(render(folder)).matchAll(/"image":"([^"]+)"/g)].map(([, image = '']) => image),
  )
  const expected = [...built, 'provision'].map((name) => `registry.example/frontdesk/${name}:1.0.0`)
  expect([...new Set(images)].toSorted()).toEqual(expected.toSorted())
})

const overlaysOf = (overlay: string) => services.map((service) => `${overlay}/${service}`)

/** Plays the commands for secrets in a folder of their own, with a kubectl that only writes down what it is told. */
function playSecrets(): { folder: string; told: string[] } {
  const folder = mkdtempSync(join(tmpdir(), 'frontdesk-secrets-'))
  mkdirSync(join(folder, 'bin'))
  mkdirSync(join(folder, 'secrets/stripe'), { recursive: true })
  for (const key of ['secret-key', 'publishable-key', 'webhook-secrets'])
    writeFileSync(join(folder, 'secrets/stripe', key), 'x')
  const kubectl = join(folder, 'bin/kubectl')
  writeFileSync(kubectl, `#!/bin/sh\necho "$@" >> ${join(folder, 'told')}\n`)
  chmodSync(kubectl, 0o755)
  const script = (blocks.find(({ name }) => name === 'secrets')?.text ?? '').replace('scripts/', `${root}/scripts/`)
  const path = `${join(folder, 'bin')}:${dirname(process.execPath)}:/usr/bin:/bin`
  execFileSync('/bin/sh', ['-ec', script], { cwd: folder, env: { PATH: path }, stdio: 'pipe' })
  return { folder, told: readFileSync(join(folder, 'told'), 'utf8').trim().split('\n') }
}

test('its commands make every Secret of production with its keys, of which each service can read its own', async () => {
  const { folder, told } = playSecrets()
  const secrets = parseAllDocuments(readManifest('external-secrets/secrets.yaml')).map(
    (document) => document.toJS() as { metadata: { name: string }; spec: { data: { secretKey: string }[] } },
  )
  const created = told.flatMap(
    (line) => /^create secret generic (\S+) .*--from-file=(\S+)/.exec(line)?.slice(1, 3).join(' ') ?? [],
  )
  expect(created.toSorted()).toEqual(secrets.map(({ metadata: { name } }) => `${name} secrets/${name}`).toSorted())
  for (const { metadata, spec } of secrets)
    expect(readdirSync(join(folder, 'secrets', metadata.name)).toSorted()).toEqual(
      spec.data.map(({ secretKey }) => secretKey).toSorted(),
    )
  expect(told.filter((line) => line.startsWith('create configmap'))).toHaveLength(2)

  const file = (path: string): string => join(folder, 'secrets', path)
  for (const service of services) {
    const files = {
      INTERNAL_KEY_FILE: file(`${service}-keys/internal-key.json`),
      INTERNAL_JWKS_FILE: file('internal-jwks/internal-jwks.json'),
    }
    ;(await openMountedIssuer(service, files, pino({ level: 'silent' })))[Symbol.dispose]()
    const ring = file(`${service}-keys/encryption-keys.json`)
    if (existsSync(ring)) expect(() => readKeyRing(ring)).not.toThrow()
  }
  const gateway = async (module: string) =>
    (await import(pathToFileURL(join(root, 'services/gateway/src/tokens', module)).href)) as Record<
      string,
      (text: string) => unknown
    >
  const { parseClients } = await gateway('clients.ts')
  const { parseTokenKeys } = await gateway('token-keys.ts')
  expect(() => parseClients?.(readFileSync(file('gateway-clients/clients.json'), 'utf8'))).not.toThrow()
  await parseTokenKeys?.(readFileSync(file('gateway-keys/token-keys.json'), 'utf8'))
  expect(readFileSync(file('nats-users/users.conf'), 'utf8')).toContain('# payments')
}, 120_000)
