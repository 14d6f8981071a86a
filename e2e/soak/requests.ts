import { setTimeout as wait } from 'node:timers/promises'
import { FrontdeskProblem, type FrontdeskClient } from '#client'
import { eventually } from '@frontdesk/testing/eventually'
import { isTemporary, type Environment } from './environment.ts'
import { asError, startWaiting } from './patience.ts'
import type { Manner } from './plan.ts'

/** The end of a request, as its client knows it. */
export type Answer =
  | { body: Record<string, unknown> }
  /** A rule refused it. */
  | { code: string }
  /** The client gave up, or lost the connection. `problem` is the last one that it got. */
  | { problem?: Readonly<Record<string, unknown>> | undefined }

interface SentPost {
  /** Below the site: `/payments`. */
  path: string
  site: string
  body: object
  /** Its Idempotency-Key, if the manner has one. */
  key: string
  /** The same request with libs/client. */
  send(client: FrontdeskClient): Promise<object>
}

/**
 * Sends a POST in a client's manner. Throws if the answer is neither a success, nor a rule's refusal, nor temporary, and
 * PatienceLost if it stays temporary.
 */
export async function post(environment: Environment, manner: Manner, request: SentPost): Promise<Answer> {
  if (manner === 'careless') return postWithoutKey(environment, request)
  const waitOn = startWaiting('no answer', environment.patienceMs)
  for (;;) {
    try {
      return { body: { ...(await request.send(environment.once)) } }
    } catch (error) {
      if (error instanceof FrontdeskProblem && error.status === 422) return { code: error.code }
      if (!isTemporary(error)) throw error
      const problem = error instanceof FrontdeskProblem ? error.problem : undefined
      if (manner === 'gives up') return { problem }
      waitOn(asError(error))
      const seconds = error instanceof FrontdeskProblem ? (error.retryAfter ?? 0) : 0
      await wait(Math.max(100, seconds * 1_000) + Math.random() * 200)
    }
  }
}

/** Sends a POST without libs/client, which always sends an Idempotency-Key. */
async function postWithoutKey(
  { baseUrl, newToken }: Environment,
  { site, path, body, key }: SentPost,
): Promise<Answer> {
  const token = await eventually(() => newToken('bench'), { within: 60_000, every: 200 })
  try {
    const answer = await fetch(`${baseUrl}/api/v1/sites/${site}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    const content = (await answer.json()) as Record<string, unknown>
    if (answer.status === 201) return { body: content }
    if (answer.status === 422) return { code: String(content['code']) }
    if (answer.status < 500) throw new Error(`${key}: ${answer.status} ${JSON.stringify(content)}`)
    return { problem: content }
  } catch (error) {
    // The connection was lost without an answer, and this client does not ask again.
    if (error instanceof TypeError || error instanceof SyntaxError) return {}
    throw error
  }
}

/** Returns the id of what a request made or may have made, if its client was told. */
export function idIn(answer: Answer, name: 'RecordId' | 'RefundId'): string | undefined {
  const told = 'body' in answer ? answer.body : 'problem' in answer ? answer.problem : undefined
  const id = told?.[name]
  return typeof id === 'string' ? id : undefined
}
