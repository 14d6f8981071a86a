import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { overlays, render, renderAll, renderer, root, withoutRenderer, type Manifest } from './manifests.ts'

/** The packages that have the types of an API group, made from the schemas of Kubernetes and of each operator. */
const packages: Record<string, string> = {
  'cert-manager.io': '@kubernetes-models/cert-manager/',
  'postgresql.cnpg.io': '@kubernetes-models/cloudnative-pg/',
  'keda.sh': '@kubernetes-models/keda/',
  'external-secrets.io': '@kubernetes-models/external-secrets/',
}

/** Returns the module with the type of an object. */
function moduleOf({ apiVersion, kind }: Manifest): string {
  const [group = ''] = apiVersion.split('/')
  // The package has v1beta1 only, which has the same members.
  const version = apiVersion.replace('external-secrets.io/v1', 'external-secrets.io/v1beta1')
  return `${packages[group] ?? 'kubernetes-models/'}${version}/${kind}`
}

/**
 * Returns what is wrong with objects: a member that the schema does not know, lacks or has with another type. The compiler says so
 * about literals; the packages' own validators let unknown members pass, as Kubernetes does.
 */
function faultsOf(objects: readonly Manifest[]): string {
  const folder = join(root, 'node_modules/.cache/frontdesk/manifests')
  mkdirSync(folder, { recursive: true })
  const lines = objects.map((object, index) => {
    const text = JSON.stringify(object).replace(
      /"apiVersion":"external-secrets.io\/v1"/,
      '"apiVersion":"external-secrets.io/v1beta1"',
    )
    return `import type { I${object.kind} as T${index} } from '${moduleOf(object)}'\nexport const ${object.kind}${index}: T${index} = ${text}`
  })
  writeFileSync(join(folder, 'objects.ts'), `${lines.join('\n')}\n`)
  const options = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'esnext', '--moduleResolution', 'bundler']
  try {
    execFileSync(
      join(root, 'node_modules/.bin/tsc'),
      [...options, '--target', 'esnext', '--types', '', '--ignoreConfig', join(folder, 'objects.ts')],
      {
        encoding: 'utf8',
        stdio: 'pipe',
      },
    )
    return ''
  } catch (error) {
    return (error as { stdout: string }).stdout
  }
}

beforeAll(renderAll, 300_000)

test('every overlay renders, and its objects have the members that their schemas know and no other', ({ skip }) => {
  skip(renderer === undefined, withoutRenderer)
  const objects = [...overlays(), 'external-secrets'].flatMap((folder) => render(folder))
  expect(objects.length).toBeGreaterThan(50)
  expect(faultsOf(objects)).toBe('')
}, 120_000)

test('a misspelt member of an object is found', ({ skip }) => {
  skip(renderer === undefined, withoutRenderer)
  const deployment = structuredClone(render('production/gateway').find(({ kind }) => kind === 'Deployment'))
  expect(deployment).toBeDefined()
  Object.assign((deployment as unknown as { spec: object }).spec, { minReadySecond: 5 })
  expect(faultsOf([deployment as Manifest])).toMatch(/minReadySecond.* does not exist/)
})
