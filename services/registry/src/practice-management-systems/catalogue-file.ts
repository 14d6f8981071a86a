import { readFileSync } from 'node:fs'
import { PracticeManagementSoftware, practiceManagementSystems } from '@frontdesk/contracts'
import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { mergeCatalogue, type Catalogue } from './domain.ts'

const CatalogueFile = Compile(
  Type.Array(
    Type.Object(
      {
        code: PracticeManagementSoftware,
        displayName: Type.String({ minLength: 1, maxLength: 200 }),
        sector: Type.Enum(['Dental', 'Medical', 'Optical', 'Veterinary', 'Any']),
        enabled: Type.Boolean(),
      },
      { additionalProperties: false },
    ),
  ),
)

/**
 * Returns the shipped catalogue with the entries of the operator's file, a JSON array of
 * `{ code, displayName, sector, enabled }`. Throws an Error with the first fault if the file is no such array.
 */
export function readCatalogue(file: string | undefined): Catalogue {
  if (file === undefined) return mergeCatalogue(practiceManagementSystems, [])
  const entries: unknown = JSON.parse(readFileSync(file, 'utf8'))
  if (!CatalogueFile.Check(entries)) {
    const [fault] = CatalogueFile.Errors(entries)
    throw new Error(`${file} is not a catalogue: ${fault?.instancePath ?? ''} ${fault?.message ?? ''}`)
  }
  return mergeCatalogue(practiceManagementSystems, entries)
}
