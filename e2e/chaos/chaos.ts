import { copyFileSync, mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { runScenario, type RunOptions } from './run-scenario.ts'
import type { Outcome, Scenario } from './scenario.ts'
import { openEnvironment, type Environment } from './environment.ts'

export interface ChaosOptions extends RunOptions {
  say: (line: string) => void
  /** Ends the run before the next scenario. */
  signal?: AbortSignal
}

/**
 * Plays scenarios one after the other. They share a system while they leave it as it was; one that breaks, or needs settings
 * of its own, gets a new one.
 */
export async function playAll(scenarios: readonly Scenario[], options: ChaosOptions): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  let shared: Environment | undefined
  try {
    for (const scenario of scenarios) {
      options.signal?.throwIfAborted()
      const reason = await scenario.skip?.()
      if (reason !== undefined) {
        outcomes.push(skipped(scenario, reason))
      } else if (scenario.own === undefined) {
        shared ??= await openEnvironment()
        const outcome = await play(scenario, shared, options)
        outcomes.push(outcome)
        if (outcome.verdict === 'broke') {
          await shared[Symbol.asyncDispose]()
          shared = undefined
        }
      } else {
        // Two systems at once would be slow on a small machine.
        await shared?.[Symbol.asyncDispose]()
        shared = undefined
        await using environment = await openEnvironment(scenario.own)
        outcomes.push(await play(scenario, environment, options))
      }
      for (const line of blockOf(outcomes.at(-1))) options.say(line)
    }
  } finally {
    await shared?.[Symbol.asyncDispose]()
  }
  return outcomes
}

const logs = resolve(import.meta.dirname, '../../.frontdesk/chaos')

/** Plays a scenario; keeps the services' log if it breaks. */
async function play(scenario: Scenario, environment: Environment, options: RunOptions): Promise<Outcome> {
  const outcome = await runScenario(scenario, environment, options)
  if (outcome.verdict === 'held') return outcome
  mkdirSync(logs, { recursive: true })
  const kept = join(logs, `${scenario.name}.log`)
  copyFileSync(environment.logFile, kept)
  return { ...outcome, counted: [...outcome.counted, `the log of the services is in ${kept}`] }
}

function skipped({ name, title }: Scenario, reason: string): Outcome {
  return { name, title, verdict: 'skipped', seconds: 0, injected: [], counted: [], held: [], broken: [reason] }
}

/** Returns the lines about one scenario: what was injected, what was counted, what held. */
export function blockOf(outcome: Outcome | undefined): string[] {
  if (outcome === undefined) return []
  const { name, title, verdict, seconds, injected, counted, held, broken } = outcome
  const row = (label: string) => (text: string) => `  ${label.padEnd(10)}${text}`
  return [
    `${name}: ${title}`,
    ...injected.map(row('injected')),
    ...counted.map(row('counted')),
    ...held.map(row('held')),
    ...broken.map(row(verdict === 'skipped' ? 'SKIPPED' : 'BROKE')),
    row(verdict)(`${seconds.toFixed(0)} s`),
    '',
  ]
}

/** Returns the last line of a run. */
export function verdictOf(outcomes: readonly Outcome[], { seed }: RunOptions, seconds: number): string {
  const named = (verdict: Outcome['verdict']) =>
    outcomes.filter((outcome) => outcome.verdict === verdict).map(({ name }) => name)
  const [held, broke, left] = [named('held'), named('broke'), named('skipped')]
  const rest = left.length === 0 ? '' : `, ${left.length} skipped (${left.join(', ')})`
  const run = `seed ${seed}, ${seconds.toFixed(0)} s`
  return broke.length === 0
    ? `chaos PASSED: ${held.length} of ${outcomes.length} scenarios held${rest}; ${run}`
    : `chaos FAILED: ${broke.length} of ${outcomes.length} scenarios broke (${broke.join(', ')})${rest}; ${run}`
}
