import { readFileSync } from 'node:fs'
import { operations, type OperationId } from '@frontdesk/contracts'
import { ensure, isObject, isSuccess } from './check.ts'
import type { Answer, Question } from './exchange.ts'
import type { TestedSystem } from './tested-system.ts'

/** One request of a file in `documented/`, word for word. */
interface DocumentedRequest {
  /** The file and the line where it begins. */
  place: string
  operation: OperationId
  status: number
  /** The members that the answer has among others; null stands for one that it lacks. JSON, before words are filled in. */
  expected: string
  question: Question
}

/** Values by the words that stand for them in braces. */
export type Words = Readonly<Record<string, string>>

/**
 * Sends the requests of `documented/<name>.http` in order, byte by byte but for the words in braces, and checks each answer. A word
 * is given, or is what the newest answer calls so. Calls `answered` for each. Returns how many there were.
 */
export async function playDocumented(
  system: TestedSystem,
  name: string,
  given: Words,
  answered: (answer: Answer) => void = () => {},
): Promise<number> {
  const words: Record<string, string> = { ...given, ACCESS_TOKEN: await system.token(system.main) }
  const requests = documentedRequests(name)
  for (const { place, operation, status, expected, question } of requests) {
    const answer = await system.ask(filledIn(question, words))
    try {
      answered(answer)
      isSuccess(answer, operation, status)
      remember(words, answer.body)
      const difference = differenceOf(answer.body, JSON.parse(filled(expected, words)), '')
      ensure(difference === undefined, answer, difference ?? '')
    } catch (error) {
      throw new Error(`${place}: ${(error as Error).message}`, { cause: error })
    }
  }
  return requests.length
}

/** Reads a file of requests: `###` begins one, `# operation status {members}` says what it answers, and HTTP follows. */
export function documentedRequests(name: string): DocumentedRequest[] {
  const text = readFileSync(new URL(`documented/${name}.http`, import.meta.url), 'utf8')
  let line = 1
  return text.split(/^(?=###)/m).map((block) => {
    const place = `documented/${name}.http:${line}`
    line += block.split('\n').length - 1
    const [head = '', ...body] = block.split('\n\n')
    const [, told = '', request = '', ...headers] = head.trimEnd().split('\n')
    const [, operation = '', status, expected = ''] = /^# (\w+) (\d{3}) (.+)$/.exec(told) ?? []
    const [method = '', path = '', ...others] = request.split(' ')
    if (!(operation in operations) || path === '' || others.length > 0) throw new Error(`${place}: is no request`)
    const sent = body.join('\n\n').trimEnd()
    const question = { method, path, headers: headersOf(headers), ...(sent !== '' && { body: sent }) }
    return { place, operation: operation as OperationId, status: Number(status), expected, question }
  })
}

function headersOf(lines: readonly string[]): Record<string, string> {
  return Object.fromEntries(lines.map((one) => one.split(': ', 2)))
}

function filledIn({ path, headers = {}, body, ...rest }: Question, words: Words): Question {
  const all = Object.entries(headers).map(([name, value]) => [name, filled(String(value), words)])
  return {
    ...rest,
    path: filled(path, words),
    headers: Object.fromEntries(all),
    ...(body !== undefined && { body: filled(String(body), words) }),
  }
}

function filled(text: string, words: Words): string {
  return text.replaceAll(/\{(\w+)\}/g, (_, word: string) => {
    const value = words[word]
    if (value === undefined) throw new Error(`no answer so far has ${word}`)
    return value
  })
}

/** Notes each text of an answer by its member's name. Items of a list would hide each other. */
function remember(words: Record<string, string>, value: unknown): void {
  if (!isObject(value)) return
  for (const [name, member] of Object.entries(value)) {
    if (typeof member === 'string') words[name] = member
    else remember(words, member)
  }
}

/** Returns where a value lacks what is expected of it, in words. */
function differenceOf(value: unknown, expected: unknown, at: string): string | undefined {
  if (expected === null) return value === undefined ? undefined : `${at} should not be there`
  if (Array.isArray(expected)) {
    if (!Array.isArray(value) || value.length !== expected.length)
      return `${at || 'the body'} has not ${expected.length} items`
    return firstOf(expected.map((item, index) => differenceOf(value[index], item, `${at}/${index}`)))
  }
  if (isObject(expected)) {
    if (!isObject(value)) return `${at || 'the body'} is not an object`
    return firstOf(Object.entries(expected).map(([name, item]) => differenceOf(value[name], item, `${at}/${name}`)))
  }
  return value === expected ? undefined : `${at} is not ${JSON.stringify(expected)}`
}

const firstOf = (differences: readonly (string | undefined)[]) => differences.find((one) => one !== undefined)
