import { defaultPaymentsPerSecond, streamBytes, streams as allStreams, type Stream } from '@frontdesk/contracts'

const kibibyte = 1024
const units: Record<string, number> = {
  B: 1,
  KiB: kibibyte,
  MiB: kibibyte ** 2,
  GiB: kibibyte ** 3,
  TiB: kibibyte ** 4,
  kB: 1e3,
  MB: 1e6,
  GB: 1e9,
  TB: 1e12,
}
const hour = 60 * 60_000
const shortestAgeMs = hour
// The consumers know for 30 days what they have received, and webhook-delivery has partitions for 14.
const longestAgeMs = 14 * 24 * hour

/** The settings of a stream in this deployment. */
export interface StreamSettings {
  stream: Stream
  maxBytes: number
  maxAgeMs: number
  /** Undefined: 1 for a new stream, and those that it has for a present one. */
  replicas: number | undefined
  /** Undefined: file for a new stream, and what it has for a present one. */
  storage: 'file' | 'memory' | undefined
  /** Which limits the deployment has set itself. The others are our defaults, and a larger present value is no drift. */
  isSet: { maxBytes: boolean; maxAge: boolean }
}

/** Thrown for a setting that is wrong or that no stream has. */
export class StreamSettingError extends Error {}

/**
 * Reads the settings of streams from environment variables: `EVENTS_PAYMENTS_PER_SECOND`, `EVENTS_REPLICAS`,
 * `EVENTS_STORAGE`, and for each stream `<STREAM>_MAX_BYTES`, `_MAX_AGE`, `_REPLICAS`, `_STORAGE`. Throws StreamSettingError.
 */
export function streamSettings(
  env: Readonly<Record<string, string | undefined>>,
  streams: readonly Stream[],
): StreamSettings[] {
  refuseUnknown(env)
  const read = <T>(name: string, parse: (text: string) => T | undefined, form: string): T | undefined => {
    const text = env[name]
    if (text === undefined || text === '') return undefined
    const value = parse(text)
    if (value === undefined) throw new StreamSettingError(`${name} is "${text}": write ${form}`)
    return value
  }
  const replicasOf = (name: string) => read(name, parseReplicas, '1, 3 or 5')
  const storageOf = (name: string) => read(name, parseStorage, 'file or memory')
  const rate = read('EVENTS_PAYMENTS_PER_SECOND', parseRate, 'a number above 0') ?? defaultPaymentsPerSecond
  const replicas = replicasOf('EVENTS_REPLICAS')
  const storage = storageOf('EVENTS_STORAGE')
  const rateIsSet = Boolean(env['EVENTS_PAYMENTS_PER_SECOND'])
  return streams.map((stream) => {
    const maxBytes = read(`${stream.name}_MAX_BYTES`, parseBytes, 'bytes like 512MiB or 20GB')
    const maxAgeMs = read(`${stream.name}_MAX_AGE`, parseAge, 'an age from 1h to 14d')
    const age = maxAgeMs ?? stream.maxAgeMs
    return {
      stream,
      maxBytes: maxBytes ?? streamBytes({ ...stream, maxAgeMs: age }, rate),
      maxAgeMs: age,
      replicas: replicasOf(`${stream.name}_REPLICAS`) ?? replicas,
      storage: storageOf(`${stream.name}_STORAGE`) ?? storage,
      isSet: {
        maxBytes: maxBytes !== undefined || (rateIsSet && 'bytesPerPayment' in stream.size),
        maxAge: maxAgeMs !== undefined,
      },
    }
  })
}

/** A misspelt variable would leave a stream at its default, which is noticed when it is full. */
function refuseUnknown(env: Readonly<Record<string, string | undefined>>): void {
  const known = new Set(['EVENTS_PAYMENTS_PER_SECOND', 'EVENTS_REPLICAS', 'EVENTS_STORAGE'])
  for (const { name } of allStreams)
    for (const setting of ['MAX_BYTES', 'MAX_AGE', 'REPLICAS', 'STORAGE']) known.add(`${name}_${setting}`)
  for (const name of Object.keys(env)) {
    if (/^(EVENTS_(PAYMENTS|REPLICA|STORAGE)|EVT_|WRK_)/.test(name) && !known.has(name))
      throw new StreamSettingError(
        `${name} is no setting. The streams are ${allStreams.map((one) => one.name).join(', ')}.`,
      )
  }
}

function parseReplicas(text: string): number | undefined {
  return /^[135]$/.test(text) ? Number(text) : undefined
}

function parseStorage(text: string): 'file' | 'memory' | undefined {
  return text === 'file' || text === 'memory' ? text : undefined
}

function parseRate(text: string): number | undefined {
  const rate = Number(text)
  return Number.isFinite(rate) && rate > 0 ? rate : undefined
}

function parseBytes(text: string): number | undefined {
  const [, amount, unit = 'B'] = /^(\d+(?:\.\d+)?)\s?([KMGT]iB|[kMGT]B|B)?$/.exec(text) ?? []
  const bytes = Math.round(Number(amount) * (units[unit] ?? Number.NaN))
  return Number.isSafeInteger(bytes) && bytes > 0 ? bytes : undefined
}

function parseAge(text: string): number | undefined {
  const [, amount, unit] = /^(\d+)([hd])$/.exec(text) ?? []
  const age = Number(amount) * (unit === 'd' ? 24 * hour : hour)
  return age >= shortestAgeMs && age <= longestAgeMs ? age : undefined
}

/** Returns bytes in the largest binary unit, such as `2.1 GiB`. */
export function formatBytes(bytes: number): string {
  if (bytes < 0) return 'unlimited'
  const [name, size] = Object.entries(units)
    .filter(([unit, scale]) => unit.includes('i') && scale <= bytes)
    .at(-1) ?? ['B', 1]
  return `${Math.round((bytes / size) * 10) / 10} ${name}`
}

/** Returns an age in days or hours, such as `3 d`. */
export function formatAge(milliseconds: number): string {
  if (milliseconds === 0) return 'unlimited'
  const hours = milliseconds / hour
  return hours % 24 === 0 ? `${hours / 24} d` : `${Math.round(hours * 100) / 100} h`
}
