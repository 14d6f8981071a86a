import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import openapiTypescript, { astToString } from 'openapi-typescript'
import { printedClient } from './print-client.ts'
import { asyncApiDocument } from './src/documents/asyncapi.ts'
import { openApiDocument } from './src/documents/openapi.ts'

/** The folder of the printed contracts. They are committed, so that a change of a contract shows in review. */
export const contractsFolder = join(import.meta.dirname, '../../docs/contracts')

/** The folder of the client's generated sources. They are committed too, because the client is used without a build. */
export const clientFolder = join(import.meta.dirname, '../../libs/client/src/generated')

const publicUrl = 'https://frontdesk.example'
const printedBy = '// Printed by `npm run print-contracts`: do not edit.'

/** Returns the public contracts as text, by file name: both documents, and the types that openapi-typescript makes of OpenAPI. */
export async function printedContracts(): Promise<Record<string, string>> {
  const openApi = JSON.stringify(openApiDocument(publicUrl), null, 2)
  const asyncApi = JSON.stringify(asyncApiDocument(publicUrl), null, 2)
  return {
    'openapi.json': `${openApi}\n`,
    'asyncapi.json': `${asyncApi}\n`,
    'openapi.ts': `${printedBy}\n${astToString(await openapiTypescript(openApi))}`,
  }
}

/** Returns the generated sources of `@frontdesk/client` as text, by file name. */
export function printedClientSources(): Promise<Record<string, string>> {
  return printedClient(printedBy)
}

if (import.meta.main) {
  await write(contractsFolder, await printedContracts())
  await write(clientFolder, await printedClientSources())
}

async function write(folder: string, files: Record<string, string>): Promise<void> {
  await mkdir(folder, { recursive: true })
  for (const [file, text] of Object.entries(files)) await writeFile(join(folder, file), text)
}
