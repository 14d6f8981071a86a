import { readFileSync } from 'node:fs'
import process from 'node:process'
import { processorTime } from './processor-time.ts'

/**
 * Starts to watch the load of other programs. The returned function describes the share of the processors that other
 * programs have taken since, and the share that the hypervisor gave to other machines. If either is large, the figures
 * mean little.
 */
export function watchNoise(): () => string {
  const before = { machine: readMachine(), own: processorTime(process.pid) }
  return () => {
    const now = readMachine()
    const all = now.all - before.machine.all
    const others = now.busy - before.machine.busy - (processorTime(process.pid) - before.own)
    const share = (time: number): string => `${Math.max(0, (time / all) * 100).toFixed(0)} %`
    return `other programs took ${share(others)} of the processors, other machines ${share(now.stolen - before.machine.stolen)}`
  }
}

/** Returns the time of all processors together, in milliseconds since boot. */
function readMachine(): { all: number; busy: number; stolen: number } {
  const line = readFileSync('/proc/stat', 'utf8').split('\n', 1)[0] ?? ''
  const [user = 0, nice = 0, system = 0, idle = 0, waiting = 0, interrupts = 0, softInterrupts = 0, stolen = 0] = line
    .split(/\s+/)
    .slice(1)
    .map((ticks) => Number(ticks) * 10)
  const busy = user + nice + system + interrupts + softInterrupts
  return { all: busy + idle + waiting + stolen, busy, stolen }
}
