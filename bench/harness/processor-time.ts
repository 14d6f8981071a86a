import { readdirSync, readFileSync } from 'node:fs'
import { median } from './statistics.ts'

/** /proc counts processor time in hundredths of a second, whatever the kernel's own tick. */
const ticksPerSecond = 100

interface Entry {
  parent: number
  ticks: number
}

/**
 * Returns the processor time of a process and its descendants in milliseconds: user and system time of every living
 * process, and of the children that their parents have waited for.
 */
export function processorTime(root: number): number {
  const entries = readProcesses()
  const children = Map.groupBy(entries.keys(), (pid) => entries.get(pid)?.parent ?? 0)
  let ticks = 0
  const open = [root]
  for (let pid = open.pop(); pid !== undefined; pid = open.pop()) {
    ticks += entries.get(pid)?.ticks ?? 0
    open.push(...(children.get(pid) ?? []))
  }
  return (ticks * 1_000) / ticksPerSecond
}

function readProcesses(): Map<number, Entry> {
  const entries = new Map<number, Entry>()
  for (const name of readdirSync('/proc')) {
    const entry = /^\d+$/.test(name) ? readProcess(Number(name)) : undefined
    if (entry !== undefined) entries.set(Number(name), entry)
  }
  return entries
}

function readProcess(pid: number): Entry | undefined {
  try {
    // The name, in brackets, may hold spaces. After it: state, parent, ..., utime, stime, cutime, cstime as 12th to 15th.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
      .map(Number)
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + field, 0)
    return { parent: fields[1] ?? 0, ticks }
  } catch {
    return undefined
  }
}

/** Runs `work`; returns its value and the milliseconds of processor time that each process tree took meanwhile. */
export async function processorTimeOf<Name extends string, Value>(
  roots: Readonly<Record<Name, number>>,
  work: () => Promise<Value>,
): Promise<{ value: Value; spent: Record<Name, number> }> {
  const before = readAll(roots)
  const value = await work()
  const after = readAll(roots)
  const names = Object.keys(roots) as Name[]
  const spent = Object.fromEntries(names.map((name) => [name, after[name] - before[name]])) as Record<Name, number>
  return { value, spent }
}

/** Converts milliseconds in all to microseconds for each of `count` things. */
export function forEachOf(count: number, spent: Readonly<Record<string, number>>): Record<string, number> {
  return Object.fromEntries(Object.entries(spent).map(([part, ms]) => [part, (ms * 1_000) / count]))
}

/** Lists the parts by their median processor time, such as `postgres 43, nats 13`. */
export function shares(measured: readonly Readonly<Record<string, number>>[]): string {
  const parts = Object.keys(measured[0] ?? {}).filter((part) => part !== 'all')
  return parts
    .map((part) => ({ part, time: median(measured.map((round) => round[part] ?? 0)) }))
    .filter(({ time }) => time >= 0.5)
    .toSorted((a, b) => b.time - a.time)
    .map(({ part, time }) => `${part} ${time.toFixed(0)}`)
    .join(', ')
}

function readAll<Name extends string>(roots: Readonly<Record<Name, number>>): Record<Name, number> {
  const entries = Object.entries<number>(roots).map(([name, pid]) => [name, processorTime(pid)])
  return Object.fromEntries(entries) as Record<Name, number>
}

/** Returns the most memory that a process has had resident, in MiB. */
export function peakMemory(pid: number): number {
  const kibibytes = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Number(kibibytes ?? Number.NaN) / 1024
}
