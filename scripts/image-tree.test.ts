import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { hasDatabase, serviceNames } from '@frontdesk/database/service-databases'
import { expect, test } from 'vitest'
import { serviceContents } from './image-tree/contents.ts'
import { imageSbom } from './image-tree/sbom.ts'

const root = resolve(import.meta.dirname, '..')
const read = (file: string): string => readFileSync(resolve(root, file), 'utf8')

const withDatabases = serviceNames().filter(hasDatabase)

test.each(withDatabases)(
  'the image of %s has its source and migrations, and nothing that tests or migrates',
  (service) => {
    const paths = [...serviceContents(service).files]
    expect(paths).toContain(`services/${service}/src/main.ts`)
    expect(paths.some((path) => path.startsWith(`services/${service}/prisma/migrations/`))).toBe(true)
    const others = serviceNames().filter((name) => name !== service)
    const unwanted = paths.filter(
      (path) =>
        others.some((name) => path.startsWith(`services/${name}/`)) ||
        /\.test\.ts$|^libs\/(testing|dev-stack)\/|\.pnpm\/(prisma@|@prisma\+engines|@prisma\+schema-engine|vitest|typescript@|@types|@embedded)/.test(
          path,
        ),
    )
    expect(unwanted).toEqual([])
  },
)

test('the Node of the images is the one of the lockfile', () => {
  const version = /^nodeVersion: (\S+)$/m.exec(read('pnpm-workspace.yaml'))?.[1]
  expect(read('Dockerfile')).toContain(`NODE_IMAGE=node:${version}-`)
})

test.each(serviceNames())('docker-compose.yml runs %s from its own image, with its own secrets', (service) => {
  const compose = read('docker-compose.yml')
  const part = compose.split(/^ {2}(?=\S)/m).find((text) => text.startsWith(`${service}:\n`)) ?? ''
  expect(part).toContain(`image: frontdesk/${service}\n`)
  expect(part).toContain(`args: { SERVICE: ${service} }`)
  expect(part).toContain('<<: *service\n')
  expect(part.match(/secrets-[a-z-]+:\/secrets:ro/g)).toEqual([`secrets-${service}:/secrets:ro`])
  expect(compose).toContain(`- secrets-${service}:/secrets/${service}\n`)
})

test('the bill of materials of an image has its packages alone, and a package that is missing in the whole is told', () => {
  const { version } = JSON.parse(read('services/gateway/node_modules/jose/package.json')) as { version: string }
  const manifest = `node_modules/.pnpm/jose@${version}/node_modules/jose/package.json`
  const contents = { files: new Set([manifest]), links: new Map<string, string>() }
  const jose = { 'bom-ref': 'jose', purl: `pkg:npm/jose@${version}` }
  const other = { 'bom-ref': 'vitest', purl: 'pkg:npm/vitest@1.0.0' }
  const dependencies = [{ ref: 'jose', dependsOn: ['vitest'] }, { ref: 'vitest' }]
  const bill = { bomFormat: 'CycloneDX', components: [jose, other], dependencies }
  expect(JSON.parse(imageSbom(JSON.stringify(bill), contents))).toEqual({
    bomFormat: 'CycloneDX',
    components: [jose],
    dependencies: [{ ref: 'jose', dependsOn: [] }],
  })
  expect(() => imageSbom(JSON.stringify({ ...bill, components: [other] }), contents)).toThrow(`pkg:npm/jose@${version}`)
})
