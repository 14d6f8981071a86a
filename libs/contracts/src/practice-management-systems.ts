import { Type, type Static } from 'typebox'
import { PracticeManagementSoftware } from './enumerations.ts'
import { described } from './members.ts'

/** An entry of the practice management system catalogue. The names are trademarks of their vendors, used as labels only. */
export interface PracticeManagementSystem {
  code: string
  displayName: string
  sector: 'Dental' | 'Medical' | 'Optical' | 'Veterinary' | 'Any'
  enabled: boolean
}

const bySector = {
  Dental:
    'Dentrix DentrixAscend Eaglesoft OpenDental CurveDental Denticon CareStack Tab32 PracticeWorks SoftDent SenseiCloud Exact Dentally R4Plus Dental4Windows Praktika CorePractice Titanium Oryx',
  Medical:
    'Epic OracleHealth AthenaOne EClinicalWorks NextGen AdvancedMD DrChrono Tebra PracticeFusion EmisWeb SystmOne Semble BestPractice MedicalDirector Genie Zedmed Cliniko Nookal Halaxy PowerDiary MedtechEvolution Indici Profile OpenEmr',
  Optical: 'Optomate Sunix RevolutionEhr OfficeMate EyefinityEncompass Compulink CrystalPm MaximEyes Acuitas',
  Veterinary:
    'EzyVet Cornerstone IdexxNeo Avimark ImproMed CovetrusPulse RxWorks VisionVpm ProvetCloud Animana Merlin RoboVet Digitail Shepherd OpenVpms',
  Any: 'Other',
} as const

/** The shipped catalogue, which operators extend by a file. Entries are never removed or changed. */
export const practiceManagementSystems: readonly PracticeManagementSystem[] = Object.entries(bySector).flatMap(
  ([sector, codes]) =>
    codes.split(' ').map((code) => ({
      code,
      displayName: code.replaceAll(/(?<=[a-z])(?=[A-Z0-9])/g, ' '),
      sector: sector as keyof typeof bySector,
      enabled: true,
    })),
)

export const PracticeManagementSystemList = Type.Object({
  Items: Type.Array(
    Type.Object({
      PracticeManagementSoftware: described(
        PracticeManagementSoftware,
        'The code by which everything else names it: sites, events and the header X-Practice-Management-Software.',
      ),
      DisplayName: Type.String({ description: 'The name for people.' }),
      Sector: Type.String({
        description: 'What its practices do: Dental, Medical, Optical, Veterinary, or Any. More may follow.',
      }),
      IsAccessible: Type.Boolean({
        description: 'Whether you have access to it: then you may create sites of it, and name it in the header.',
      }),
    }),
    { description: 'All known systems, in the order of their codes.' },
  ),
})
export type PracticeManagementSystemList = Static<typeof PracticeManagementSystemList>
