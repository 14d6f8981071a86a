import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import openapiTypescript, { astToString } from 'openapi-typescript'
import { asyncApiDocument } from './src/documents/asyncapi.ts'
import { openApiDocument } from './src/documents/openapi.ts'

/** The folder of the printed contracts. They are committed, so that a change of a contract shows in review. */
export const contractsFolder = join(import.meta.dirname, '../../docs/contracts')

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

if (import.meta.main) {
  await mkdir(contractsFolder, { recursive: true })
  for (const [file, text] of Object.entries(await printedContracts()))
    await writeFile(join(contractsFolder, file), text)
}
