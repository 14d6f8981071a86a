import process from 'node:process'
import { parseArgs } from 'node:util'
import { playAll, verdictOf } from './chaos.ts'
import { scenarios } from './scenarios/index.ts'

// npm run chaos -- --scenario NAME|all [--short] [--seed N]: the last line is the verdict, and so is the exit code.

const { values } = parseArgs({
  options: {
    scenario: { type: 'string', multiple: true, default: ['all'] },
    short: { type: 'boolean', default: false },
    seed: { type: 'string', default: '1' },
  },
})
const seed = Number(values.seed)
const wanted = new Set(values.scenario.flatMap((names) => names.split(',')))
const chosen = wanted.has('all') ? scenarios : scenarios.filter(({ name }) => wanted.has(name))
if (!Number.isInteger(seed) || (chosen.length !== wanted.size && !wanted.has('all'))) {
  console.error('Usage: npm run chaos -- [--scenario NAME|all] [--short] [--seed N]\n\nScenarios:')
  for (const { name, title } of scenarios) console.error(`  ${name.padEnd(26)}${title}`)
  process.exit(2)
}

const stop = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort(new Error('interrupted')))

const startedAt = performance.now()
const options = { seed, short: values.short, say: (line: string) => console.log(line), signal: stop.signal }
try {
  const outcomes = await playAll(chosen, options)
  console.log(verdictOf(outcomes, options, (performance.now() - startedAt) / 1_000))
  if (outcomes.some(({ verdict }) => verdict === 'broke')) process.exitCode = 1
} catch (error) {
  console.error(error)
  console.log(`chaos FAILED: it did not finish (${error instanceof Error ? error.message : String(error)})`)
  process.exitCode = 1
}
// Nothing is left to wait for, whatever sockets to killed servers remain.
process.exit()
