/**
 * Writes what goes into the image of a service, or of `provision`, into a folder: no container engine is needed. The same checkout
 * makes the same files with the same times.
 *
 *   node scripts/image-tree.ts payments /tmp/payments [--twice] [--sbom sbom.json]
 *
 * `--twice` writes it once more beside the folder, and exits with 1 if the two differ. `--sbom` reads what `npm run --silent sbom`
 * prints and writes the part that is in the image to `FOLDER.sbom.json`. How images are built: docs/images.md.
 */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { serviceNames } from '@frontdesk/database/service-databases'
import { provisionContents, serviceContents } from './image-tree/contents.ts'
import { imageSbom } from './image-tree/sbom.ts'
import { writeTree } from './image-tree/write.ts'

const usage = `Usage: node scripts/image-tree.ts <service> FOLDER [--twice]

  FOLDER    is made; it must not exist
  --twice   writes the files a second time, compares, and exits with 1 if anything differs
  --sbom S  also writes FOLDER.sbom.json: of the bill of materials in the file S, the packages that are in the folder

Services: ${serviceNames().join(', ')}, and provision`

async function main(): Promise<number> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { twice: { type: 'boolean' }, sbom: { type: 'string' } },
  })
  const [name = '', folder = '', more] = positionals
  const isKnown = name === 'provision' || serviceNames().includes(name)
  if (!isKnown || folder === '' || more !== undefined || existsSync(folder)) {
    console.error(existsSync(folder) ? `${folder} exists already.` : usage)
    return 2
  }
  const contents = name === 'provision' ? provisionContents() : serviceContents(name)
  const { digest, bytes, files } = await writeTree(contents, resolve(folder))
  console.log(`${name}: ${files} files, ${(bytes / 1e6).toFixed(1)} MB, sha256 ${digest}`)
  if (values.sbom !== undefined)
    writeFileSync(`${resolve(folder)}.sbom.json`, imageSbom(readFileSync(values.sbom, 'utf8'), contents))
  if (values.twice !== true) return 0
  const again = `${resolve(folder)}.again`
  const second = await writeTree(contents, again)
  rmSync(again, { recursive: true })
  if (second.digest === digest) return 0
  console.error(`The second time it is ${second.digest}.`)
  return 1
}

process.exitCode = await main()
