import { problem, type ProblemError } from '@frontdesk/problems'

/**
 * The largest content of a body, chosen so that parsing the worst one takes under 5 ms (docs/decisions/030). Members are costly: each new
 * name makes the engine a new shape of object.
 */
export const jsonBounds = { depth: 32, members: 3_000, items: 20_000 } as const

const quote = 0x22
const backslash = 0x5c
const lowerU = 0x75
const two = 0x32
const nine = 0x39
const protoName = '__proto__'
/** Every character of the name as an escape of six. */
const longestProtoName = protoName.length * 6

/**
 * Throws `malformed_request` for JSON that exceeds `jsonBounds` or holds what may not be parsed or stored. Looks only at its
 * bytes, before anything is allocated for them; whether they are JSON at all is for the parser to say. Returns where numbers begin
 * that are int64 and that a parser would make 2^63, which is none.
 */
export function checkJson(bytes: Buffer): number[] {
  const { length } = bytes
  let depth = 0
  let members = 0
  let items = 0
  const roundedUp: number[] = []
  let string = { start: 0, end: 0 }
  for (let at = 0; at < length; at += 1) {
    switch (bytes[at]) {
      case quote: {
        const end = endOfString(bytes, at + 1)
        string = { start: at, end: end + 1 }
        at = end
        break
      }
      // [ and {
      case 0x5b:
      case 0x7b:
        depth += 1
        items += 1
        if (depth > jsonBounds.depth) throw refused(`The body nests deeper than ${jsonBounds.depth}.`)
        break
      // ] and }
      case 0x5d:
      case 0x7d:
        depth -= 1
        break
      case 0x2c:
        items += 1
        break
      // A colon outside of a string comes after the name of a member.
      case 0x3a:
        members += 1
        if (isProtoName(bytes.subarray(string.start, string.end))) throw refused(`A member is named ${protoName}.`)
        break
      case nine:
        if (roundsUpTo63Bits(bytes, at)) roundedUp.push(at)
        break
      default:
    }
    if (members > jsonBounds.members) throw refused(`The body has more than ${jsonBounds.members} members.`)
    if (items > jsonBounds.items) throw refused(`The body has more than ${jsonBounds.items} values.`)
  }
  return roundedUp
}

/** Whether digits that begin here, outside of a string, are a number from 2^63 - 512 to 2^63 - 1, perhaps with a fraction. */
function roundsUpTo63Bits(bytes: Buffer, at: number): boolean {
  if (bytes[at + 1] !== two || begunBefore.test(byteAt(bytes, at - 1)) || goesOn.test(byteAt(bytes, at + 19)))
    return false
  const digits = bytes.toString('latin1', at, at + 19)
  return digits >= '9223372036854775296' && digits <= '9223372036854775807'
}
const begunBefore = /[-\d.eE+]/
const goesOn = /[\deE]/
const byteAt = (bytes: Buffer, at: number): string => String.fromCharCode(bytes[at] ?? 0)

/** Returns the index of the closing quote of a string, or of the end. */
function endOfString(bytes: Buffer, start: number): number {
  let at = start
  for (; at < bytes.length; at += 1) {
    const byte = bytes[at]
    if (byte === quote) return at
    if (byte !== backslash) continue
    if (bytes[at + 1] === lowerU) at = endOfUnit(bytes, at)
    else at += 1
  }
  return at
}

/** Returns the index of the last byte of a `\u` escape, or of a pair of them. Throws if it names what cannot be stored. */
function endOfUnit(bytes: Buffer, at: number): number {
  const unit = unitAt(bytes, at)
  if (unit === 0) throw refused('A string holds a NUL character (\\u0000), which cannot be stored.')
  // Half of a surrogate pair has no UTF-8 form, so it can be neither stored nor sent.
  if (unit >= 0xd800 && unit < 0xdc00) {
    const next = unitAt(bytes, at + 6)
    if (next >= 0xdc00 && next < 0xe000) return at + 11
  }
  if (unit >= 0xd800 && unit < 0xe000) throw refused('A string holds half of a surrogate pair.')
  return at + 5
}

/** Returns the UTF-16 unit of a `\u` escape; NaN if there is none. */
function unitAt(bytes: Buffer, at: number): number {
  if (bytes[at] !== backslash || bytes[at + 1] !== lowerU) return NaN
  const digits = bytes.toString('latin1', at + 2, at + 6)
  return /^[0-9a-f]{4}$/i.test(digits) ? Number.parseInt(digits, 16) : NaN
}

/** Whether a string of JSON, with its quotes, is `__proto__`, escaped or not. */
function isProtoName(name: Buffer): boolean {
  if (name.length < protoName.length + 2 || name.length > longestProtoName + 2) return false
  const text = name.toString('latin1')
  if (!text.includes('\\')) return text === `"${protoName}"`
  try {
    return JSON.parse(text) === protoName
  } catch {
    return false
  }
}

const refused = (detail: string): ProblemError => problem('malformed_request', detail)
