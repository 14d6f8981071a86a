import type { Cell } from './cells.ts'
import type { Need } from './needs.ts'
import type { TestedSystem } from './tested-system.ts'

/** One thing that must hold of any system that speaks the interface. */
export interface Case {
  /** A sentence about behaviour. */
  title: string
  /** The cells of the table that it shows when it passes. */
  shows?: readonly Cell[]
  needs?: readonly Need[]
  /** Where it may take longer than 30 s. */
  timeoutMs?: number
  /** Throws when it does not hold. */
  run: (system: TestedSystem) => Promise<void>
}

/** Cases about one subject. */
export interface CaseGroup {
  title: string
  cases: readonly Case[]
}
