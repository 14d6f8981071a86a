import type { Allowances } from './audit/records.ts'
import type { Load, Mix } from './load/generator.ts'
import type { Environment, EnvironmentSettings } from './environment.ts'

/** A fault, and what it takes to bring it about. */
export interface Scenario {
  name: string
  /** One sentence: what happens. */
  title: string
  /** Present: the scenario runs on a system of its own with these settings. */
  own?: EnvironmentSettings
  /** Requests a second. Default 25. */
  rate?: number
  /** What the requests are. Default: mostly creations. */
  mix?: Mix
  /** Returns why the scenario cannot run here; undefined if it can. */
  skip?: () => Promise<string | undefined>
  /** Brings the fault about and heals it, while the load goes on. */
  play: (play: Play) => Promise<void>
  /** Looks at the system when the load has ended and the invariants were checked. */
  afterwards?: (play: Play) => Promise<void>
}

/** Gives a scenario the system to act on, and notes what it does. */
export interface Play {
  environment: Environment
  load: Load
  random: () => number
  short: boolean
  /** Contradictions that the checker does not report; a scenario adds to them. */
  allowed: Allowances
  /** Notes what was injected or is waited for, with its time. */
  inject(text: string): void
  /** Notes a figure. */
  count(text: string): void
  /** Notes whether something that only this scenario looks at is so. */
  expect(holds: boolean, text: string): void
  /** Waits this many seconds: the first number with `--short`, the second without. */
  during(short: number, long: number): Promise<void>
  /** Notes that the fault is over: from now on the backlog must drain. Without it, the end of `play` counts. */
  recovered(): void
  /** Disposes of this when the scenario ends, before its records are read. */
  use<Resource extends AsyncDisposable>(resource: Resource): Resource
}

/** The result of a scenario. */
export interface Outcome {
  name: string
  title: string
  verdict: 'held' | 'broke' | 'skipped'
  seconds: number
  injected: string[]
  counted: string[]
  held: string[]
  /** Every violation; for a skipped scenario the reason. */
  broken: string[]
}
