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
 * Reads the catalogue: what is shipped, and over it the operator's file, a JSON array of
 * `{ code, displayName, sector, enabled }`. Throws where the file is not such an array, with its first fault.
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
