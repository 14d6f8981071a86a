import { readFileSync } from 'node:fs'
import { type Contents, sourceOf } from './contents.ts'

interface Bill {
  components: { purl?: string; 'bom-ref'?: string }[]
  dependencies?: { ref: string; dependsOn?: string[] }[]
}

/**
 * Returns the part of a bill of materials (CycloneDX, JSON) that is in an image.
 *
 * @throws Error if the image has a package that the bill does not have
 */
export function imageSbom(json: string, contents: Contents): string {
  const bill = JSON.parse(json) as Bill
  const wanted = packageUrls(contents)
  const components = bill.components.filter(({ purl }) => wanted.has(withoutQualifiers(purl ?? '')))
  const listed = new Set(components.map(({ purl }) => withoutQualifiers(purl ?? '')))
  const missing = [...wanted].filter((url) => !listed.has(url))
  if (missing.length > 0) throw new Error(`The bill of materials lacks ${missing.join(', ')}`)
  const refs = new Set(components.map((component) => component['bom-ref']))
  const dependencies = (bill.dependencies ?? [])
    .filter(({ ref }) => refs.has(ref))
    .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((one) => refs.has(one)) }))
  return `${JSON.stringify({ ...bill, components, dependencies }, undefined, 2)}\n`
}

/** Returns the package URLs of the npm packages in an image. */
function packageUrls({ files }: Contents): Set<string> {
  const manifests = [...files].filter((path) =>
    /^node_modules\/\.pnpm\/[^/]+\/node_modules\/(@[^/]+\/)?[^/]+\/package\.json$/.test(path),
  )
  return new Set(
    manifests.map((path) => {
      const { name, version } = JSON.parse(readFileSync(sourceOf(path), 'utf8')) as { name: string; version: string }
      return `pkg:npm/${name.replace('@', '%40')}@${version}`
    }),
  )
}

const withoutQualifiers = (purl: string): string => purl.replace(/[?#].*$/, '')
