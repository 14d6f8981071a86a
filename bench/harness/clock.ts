import process from 'node:process'

// CLOCK_MONOTONIC counts from the same moment in every process of a machine; performance.now() from each one's own start.
const [seconds, nanoseconds] = process.hrtime()
const offset = seconds * 1_000 + nanoseconds / 1_000_000 - performance.now()

/** Returns milliseconds that can be compared between the processes of this machine. */
export function sharedNow(): number {
  return performance.now() + offset
}
