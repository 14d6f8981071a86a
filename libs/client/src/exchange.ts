import { FrontdeskUnreachable, problemOf, type FrontdeskProblem } from './problems.ts'

/** How one try ended. */
export type Outcome = { ok: true; body: unknown } | { ok: false; error: FrontdeskProblem | FrontdeskUnreachable }

export interface Exchange {
  method: string
  headers: Record<string, string>
  body?: string | URLSearchParams
  /** Of the whole exchange, in milliseconds. */
  timeoutMs: number
  /** The caller's signal. When it aborts, its reason is thrown. */
  signal?: AbortSignal | undefined
}

/** Sends one request and reads its answer. Throws only if the caller's signal aborts. */
export async function exchange(url: string, { timeoutMs, signal, ...request }: Exchange): Promise<Outcome> {
  signal?.throwIfAborted()
  const timeout = AbortSignal.timeout(timeoutMs)
  try {
    const response = await fetch(url, {
      ...request,
      redirect: 'error',
      signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
    })
    const text = await response.text()
    if (!response.ok) {
      return { ok: false, error: problemOf(response.status, text, secondsOf(response.headers.get('retry-after'))) }
    }
    return { ok: true, body: text === '' ? undefined : JSON.parse(text) }
  } catch (error) {
    signal?.throwIfAborted()
    return { ok: false, error: new FrontdeskUnreachable(url, error) }
  }
}

/** Reads `Retry-After`: a number of seconds or, from some proxies, a date. */
function secondsOf(retryAfter: string | null): number | undefined {
  if (retryAfter === null) return undefined
  if (/^\d+$/.test(retryAfter)) return Number(retryAfter)
  const at = Date.parse(retryAfter)
  return Number.isNaN(at) ? undefined : Math.max(0, Math.ceil((at - Date.now()) / 1000))
}
