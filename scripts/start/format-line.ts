const COLOURS = { dim: 2, red: 31, green: 32, yellow: 33, cyan: 36 } as const
type Colour = keyof typeof COLOURS

const LEVELS: Record<number, { name: string; colour: Colour }> = {
  10: { name: 'trace', colour: 'dim' },
  20: { name: 'debug', colour: 'dim' },
  30: { name: 'info', colour: 'green' },
  40: { name: 'warn', colour: 'yellow' },
  50: { name: 'error', colour: 'red' },
  60: { name: 'fatal', colour: 'red' },
}
const LEVEL_BY_WORD: Record<string, number> = {
  WRN: 40,
  ERR: 50,
  FTL: 60,
  WARNING: 40,
  ERROR: 50,
  FATAL: 60,
  PANIC: 60,
}
/** Members of a JSON line that have their own place in the printed line, or are useless on one machine. */
const OMITTED = new Set(['level', 'time', 'msg', 'service', 'name', 'pid', 'hostname', 'v', 'err', 'traceId'])
const NAME_WIDTH = 'sandbox-provider'.length // the longest name
const MAX_VALUE = 160

/** pino's number of the level `warn`. */
export const WARNING = 40

interface FormatOptions {
  stream: 'stdout' | 'stderr'
  colour: boolean
  now: Date
  /** Lines below this level, a number of pino, are not shown. Default: every line is. */
  least?: number
}

/**
 * Formats a part's line for people: time, part, level, message, and the other members as `name=value`.
 *
 * @param line a JSON object (services) or text
 * @returns undefined for a line that people need not see
 */
export function formatLine(part: string, line: string, options: FormatOptions): string | undefined {
  const { stream, colour, now, least = 0 } = options
  const parsed = parseJsonLine(line) ?? parseTextLine(part, line, stream)
  if (!parsed || parsed.level < least) return undefined
  const paint = (text: string, name: Colour): string => (colour ? `\x1b[${COLOURS[name]}m${text}\x1b[0m` : text)
  const level = LEVELS[parsed.level] ?? { name: String(parsed.level), colour: 'dim' }
  const start = `${paint(timeOfDay(parsed.time ?? now), 'dim')} ${paint(part.padEnd(NAME_WIDTH), 'cyan')} `
  const fields = parsed.fields.map(([name, value]) => ` ${paint(`${name}=`, 'dim')}${value}`).join('')
  const first = `${start}${paint(level.name.padEnd(5), level.colour)} ${parsed.message}${fields}`
  return [first, ...parsed.more.map((text) => `${start}      ${paint(text, 'dim')}`)].join('\n')
}

interface ParsedLine {
  level: number
  time?: Date
  message: string
  fields: [string, string][]
  /** Further lines, such as an error's stack. */
  more: string[]
}

/** A line of pino. */
interface JsonRecord {
  level?: number
  time?: number
  msg?: string
  err?: { message?: string; stack?: string }
  [member: string]: unknown
}

function parseJsonLine(line: string): ParsedLine | undefined {
  if (!line.startsWith('{')) return undefined
  let record: JsonRecord
  try {
    record = JSON.parse(line) as JsonRecord
  } catch {
    return undefined
  }
  const error = record.err
  const text = (record.msg ?? error?.message ?? '').split('\n')
  return {
    level: record.level ?? 30,
    ...(record.time === undefined ? {} : { time: new Date(record.time) }),
    message: text[0] ?? '',
    fields: Object.entries(record).flatMap(([name, value]) => (OMITTED.has(name) ? [] : [[name, printed(value)]])),
    more: [...text.slice(1), ...(error?.stack ?? error?.message ?? '').split('\n').filter(Boolean)],
  }
}

/** Parses a line of Postgres, NATS or a crashing Node. Of Postgres and NATS, people see only warnings and errors. */
function parseTextLine(part: string, line: string, stream: 'stdout' | 'stderr'): ParsedLine | undefined {
  const [first = '', ...more] = line.split('\n').filter((text) => text.trim() !== '')
  if (first === '') return undefined
  if (part !== 'postgres' && part !== 'nats') {
    return { level: stream === 'stderr' ? 50 : 30, message: first, fields: [], more }
  }
  const [, nats, postgres, message] = /(?:\[(WRN|ERR|FTL)\]|\b(WARNING|FATAL|PANIC):)\s*(.*)$/.exec(line) ?? []
  const word = nats ?? postgres
  return word === undefined
    ? undefined
    : { level: LEVEL_BY_WORD[word] ?? 40, message: message ?? '', fields: [], more: [] }
}

function printed(value: unknown): string {
  const text = typeof value === 'string' && !/\s/.test(value) ? value : JSON.stringify(value)
  return text.length > MAX_VALUE ? `${text.slice(0, MAX_VALUE)}...` : text
}

/** Local time of day in milliseconds. */
function timeOfDay(time: Date): string {
  const two = (value: number): string => String(value).padStart(2, '0')
  return `${two(time.getHours())}:${two(time.getMinutes())}:${two(time.getSeconds())}.${String(time.getMilliseconds()).padStart(3, '0')}`
}
