import type { Cell } from './cells.ts'
import type { Need } from './needs.ts'
import type { TestedSystem } from './tested-system.ts'

/** One behaviour that every system with this interface must have. */
export interface Case {
  /** A sentence about behaviour. */
  title: string
  /** The cells of the table that it proves when it passes. */
  shows?: readonly Cell[]
  needs?: readonly Need[]
  /** Default: 30 s. */
  timeoutMs?: number
  /** Throws if the system behaves otherwise. */
  run: (system: TestedSystem) => Promise<void>
}

/** Cases about one subject. */
export interface CaseGroup {
  title: string
  cases: readonly Case[]
}
