import { threadCpuUsage } from 'node:process'
import { operations, type Operation } from '@frontdesk/contracts'
import { parseJson, validationFaults, validatorCompiler } from '@frontdesk/service/http'
import { worstBodies } from '@frontdesk/testing/worst-bodies'
import type { Report } from '../harness/results.ts'

const roundCount = 40
const limitMs = 5

/**
 * Measures what the worst body of each operation costs the event loop: parsing, validation, and the faults of its problem.
 * Needs no running system.
 */
export async function measureValidation(report: Report): Promise<void> {
  report.say(`validation: the worst bodies of 256 KiB for each operation, ${roundCount} times each`)
  const worst: { id: string; what: string; ms: number }[] = []
  for (const [id, { body }] of Object.entries<Operation>(operations)) {
    if (body === undefined) continue
    const validate = validatorCompiler({ schema: body, httpPart: 'body', method: 'POST', url: id })
    const times = new Map<string, number[]>()
    // The first rounds compile the code.
    for (let round = -5; round < roundCount; round += 1) {
      for (const [what, text] of worstBodies(`${id}${round}`)) {
        const ms = timeOf(Buffer.from(text), validate)
        if (round >= 0) times.set(what, [...(times.get(what) ?? []), ms])
      }
    }
    // Of a thread Linux counts whole ticks of some milliseconds: a single time says little, their mean does.
    const means = [...times].map(([what, all]) => ({ id, what, ms: all.reduce((sum, ms) => sum + ms, 0) / all.length }))
    const slowest = means.reduce((one, other) => (other.ms > one.ms ? other : one))
    report.say(`${id.padEnd(24)} ${slowest.ms.toFixed(2)} ms (${slowest.what})`)
    worst.push(slowest)
  }
  report.add(
    'validation.worst_body_ms',
    'ms',
    worst
      .map(({ ms }) => ms)
      .toSorted((one, other) => other - one)
      .slice(0, 1),
    { atMost: limitMs },
  )
}

type Validate = ReturnType<typeof validatorCompiler>

/** Returns the processor time until a body is refused, in milliseconds: other programs do not disturb it. */
function timeOf(bytes: Buffer, validate: Validate): number {
  const began = threadCpuUsage()
  try {
    const value = parseJson(bytes)
    if (validate(value) === true) throw new Error('it should be refused')
    validationFaults((validate as unknown as { errors: Parameters<typeof validationFaults>[0] }).errors, 'body')
  } catch (error) {
    if (!(error instanceof Error) || error.message === 'it should be refused') throw error
  }
  const { user, system } = threadCpuUsage(began)
  return (user + system) / 1_000
}
