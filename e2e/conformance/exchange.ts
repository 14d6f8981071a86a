import { setTimeout as wait } from 'node:timers/promises'
import { Pool } from 'undici'

/** A request as it is sent: only `Host`, `Connection` and the length are added. */
export interface Question {
  method: string
  /** Path and query, sent as they are. */
  path: string
  headers?: Record<string, string | string[]>
  body?: string | Buffer | undefined
}

export interface Answer {
  question: Question
  status: number
  /** By name in lower case; repeated headers are joined by a comma. */
  headers: Record<string, string | undefined>
  text: string
  /** The parsed body, if it is JSON. */
  body: unknown
}

/** Connections to a gateway. */
export interface Exchanges extends AsyncDisposable {
  ask(question: Question): Promise<Answer>
}

/** Opens connections to the gateway at a base URL, which may have a path of its own. */
export function openExchanges(baseUrl: string): Exchanges {
  const { origin, pathname } = new URL(baseUrl)
  const prefix = pathname.replace(/\/$/, '')
  const pool = new Pool(origin, { connections: 64, allowH2: false, headersTimeout: 45_000, bodyTimeout: 45_000 })
  return {
    async ask(question) {
      const { method, path, headers = {}, body = null } = question
      const response = await pool.request({ method, path: prefix + path, headers, body })
      const text = await response.body.text()
      return { question, status: response.statusCode, headers: joined(response.headers), text, body: parsed(text) }
    },
    [Symbol.asyncDispose]: () => pool.destroy(),
  }
}

function joined(headers: Record<string, string | string[] | undefined>): Answer['headers'] {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : value]),
  )
}

export function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Repeats a request while the answer is 429, after the time that the answer names; most cases do not test quotas. */
export async function patiently(ask: () => Promise<Answer>): Promise<Answer> {
  for (;;) {
    const answer = await ask()
    if (answer.status !== 429) return answer
    await wait(Math.min(Number(answer.headers['retry-after'] ?? 1), 10) * 1000)
  }
}

/** Describes an exchange for an error message, without the secrets that were sent. */
export function described({ question: { method, path, headers = {}, body }, status, text }: Answer): string {
  const shown = Object.entries(headers)
    .filter(([name]) => !['authorization', 'x-site-api-key', 'content-type'].includes(name.toLowerCase()))
    .map(([name, value]) => ` [${name}: ${String(value).slice(0, 80)}]`)
  const sent = body === undefined ? '' : ` ${String(body).slice(0, 600)}`
  return `${method} ${path.slice(0, 300)}${shown.join('')}${sent}\n  -> ${status} ${text.slice(0, 900)}`
}
