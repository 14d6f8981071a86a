import type { System } from './system.ts'
import type { Cell } from './table.ts'

/** What a case needs besides the base URL and a client with every scope. */
export type Need = 'processes' | 'files' | 'sandbox' | 'receiver' | 'several systems' | 'read only' | 'event source'

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
  run: (system: System) => Promise<void>
}

/** Cases about one subject. */
export interface CaseGroup {
  title: string
  cases: readonly Case[]
}
