import { setTimeout as wait } from 'node:timers/promises'
import { Pool } from 'undici'
import { sharedNow } from '../harness/clock.ts'
import { serveRemote } from '../harness/remote.ts'

export interface Requests {
  origin: string
  method: 'GET' | 'POST'
  /** Paths to request, in turn. */
  paths: readonly string[]
  headers: Record<string, string>
  /** Sent as JSON, each time with a new Idempotency-Key. */
  body?: unknown
  seconds: number
  /** A fixed schedule (an open loop), or a fixed number at a time (a closed loop). */
  load: { perSecond: number } | { atATime: number }
}

/** The result of requests. */
export interface Answers {
  /** Milliseconds from a request's scheduled time (in a closed loop: its start) to the end of its answer. */
  latencies: Float64Array
  seconds: number
  /** Number of answers other than 2xx by status, and of errors by code. */
  refused: Record<string, number>
}

export type RequestsMethods = typeof methods

const methods = {
  async run({ origin, method, paths, headers, body, seconds, load }: Requests): Promise<Answers> {
    const pool = new Pool(origin, { connections: 256, pipelining: 1 })
    const json = body === undefined ? undefined : JSON.stringify(body)
    const latencies: number[] = []
    const refused: Record<string, number> = {}

    async function ask(turn: number, since: number): Promise<void> {
      const own =
        json === undefined ? {} : { 'content-type': 'application/json', 'idempotency-key': crypto.randomUUID() }
      const path = paths[turn % paths.length] ?? '/'
      try {
        const answer = await pool.request({
          path,
          method,
          headers: { ...headers, ...own },
          ...(json ? { body: json } : {}),
        })
        await answer.body.dump()
        if (answer.statusCode < 300) latencies.push(sharedNow() - since)
        else note(String(answer.statusCode))
      } catch (error) {
        note(error instanceof Error && 'code' in error ? String(error.code) : 'error')
      }
    }
    const note = (outcome: string): void => void (refused[outcome] = (refused[outcome] ?? 0) + 1)

    const startedAt = sharedNow()
    if ('perSecond' in load) await schedule(load.perSecond, seconds, ask)
    else await loop(load.atATime, seconds, ask)
    const took = (sharedNow() - startedAt) / 1_000
    await pool.close()
    return { latencies: Float64Array.from(latencies), seconds: took, refused }
  },
}

type Ask = (turn: number, since: number) => Promise<void>

/** Starts each request at its time, without waiting for earlier ones. */
async function schedule(perSecond: number, seconds: number, ask: Ask): Promise<void> {
  const startedAt = sharedNow()
  const asked: Promise<void>[] = []
  while (asked.length < perSecond * seconds) {
    const due = Math.min(perSecond * seconds, ((sharedNow() - startedAt) * perSecond) / 1_000)
    while (asked.length < due) asked.push(ask(asked.length, startedAt + (asked.length * 1_000) / perSecond))
    await wait(1)
  }
  await Promise.all(asked)
}

async function loop(atATime: number, seconds: number, ask: Ask): Promise<void> {
  const until = sharedNow() + seconds * 1_000
  let turn = 0
  const follow = async (): Promise<void> => {
    while (sharedNow() < until) await ask(turn++, sharedNow())
  }
  await Promise.all(Array.from({ length: atATime }, follow))
}

serveRemote(methods)
