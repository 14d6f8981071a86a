import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'

const folder = resolve(import.meta.dirname, '../results/profiles')

/** A .cpuprofile as V8 writes it; times in microseconds. */
interface Profile {
  nodes: { id: number; callFrame: { functionName: string; url: string; lineNumber: number } }[]
  samples: number[]
  timeDeltas: number[]
}

/**
 * Returns settings, by service, with which services write a profile of their processor time when they end. Removes the
 * profiles of earlier runs.
 */
export function profilingSettings(services: readonly string[]): Record<string, Record<string, string>> {
  rmSync(folder, { recursive: true, force: true })
  return Object.fromEntries(
    services.map((service) => {
      mkdirSync(join(folder, service), { recursive: true })
      return [service, { NODE_OPTIONS: `--cpu-prof --cpu-prof-interval=500 --cpu-prof-dir=${join(folder, service)}` }]
    }),
  )
}

/** Lists the most expensive functions of a service over all its processes of this run: share of busy time, and place. */
export function describeProfiles(service: string, most = 25): string {
  const times = new Map<string, number>()
  for (const file of readdirSync(join(folder, service))) {
    const profile = JSON.parse(readFileSync(join(folder, service, file), 'utf8')) as Profile
    for (const [place, time] of selfTimes(profile)) times.set(place, (times.get(place) ?? 0) + time)
  }
  times.delete('(idle)')
  const busy = [...times.values()].reduce((sum, time) => sum + time, 0)
  return [...times]
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, most)
    .map(([place, time]) => `${((time / busy) * 100).toFixed(1).padStart(5)} %  ${place}`)
    .join('\n')
}

function selfTimes({ nodes, samples, timeDeltas }: Profile): Map<string, number> {
  const places = new Map(nodes.map(({ id, callFrame }) => [id, placeOf(callFrame)]))
  const times = new Map<string, number>()
  for (const [index, id] of samples.entries()) {
    const place = places.get(id) ?? '(unknown)'
    times.set(place, (times.get(place) ?? 0) + (timeDeltas[index] ?? 0))
  }
  return times
}

function placeOf({ functionName, url, lineNumber }: Profile['nodes'][number]['callFrame']): string {
  const file = url.replace(/^.*\/node_modules\//, '').replace(/^file:\/\/.*\/(?=(libs|services)\/)/, '')
  return `${functionName || '(anonymous)'}${file === '' ? '' : ` ${file}:${lineNumber + 1}`}`
}
