import { UnreadableAnswer } from '../errors.ts'

// Stripe's types say what an answer should contain. These readers say what it does contain: what they return is there.

/** Returns a text of an answer that must be there. `name` is the member's. Throws UnreadableAnswer. */
export function text(answer: unknown, name: string): string {
  if (typeof answer === 'string' && answer !== '') return answer
  throw new UnreadableAnswer(`${name} is ${String(answer)}`)
}

/** Returns a boolean of an answer that must be there. Throws UnreadableAnswer. */
export function flag(answer: unknown, name: string): boolean {
  if (typeof answer === 'boolean') return answer
  throw new UnreadableAnswer(`${name} is ${String(answer)}`)
}

/** Returns a time of an answer, which has it in seconds. Throws UnreadableAnswer. */
export function time(answer: unknown, name: string): Date {
  const date = new Date(typeof answer === 'number' ? answer * 1000 : Number.NaN)
  if (!Number.isNaN(date.getTime())) return date
  throw new UnreadableAnswer(`${name} is ${String(answer)}`)
}

/** Returns what a member of an answer stands for. Throws UnreadableAnswer for a value that `meanings` does not have. */
export function meaning<T>(meanings: Readonly<Record<string, T>>, answer: unknown, name: string): T {
  const found = typeof answer === 'string' && Object.hasOwn(meanings, answer) ? meanings[answer] : undefined
  if (found !== undefined) return found
  throw new UnreadableAnswer(`${name} is ${String(answer)}`)
}

/** Returns the objects of a list. Throws UnreadableAnswer if it is none. */
export function items<T>(list: { data: T[] } | undefined, name: string): T[] {
  if (Array.isArray(list?.data)) return list.data
  throw new UnreadableAnswer(`${name} is no list`)
}

/** Returns what reading an answer stumbled over as the error that names it. */
export function unreadable(error: unknown): UnreadableAnswer {
  if (error instanceof UnreadableAnswer) return error
  return new UnreadableAnswer(error instanceof Error ? error.message : String(error), error)
}
