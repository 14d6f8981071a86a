import { Agent } from 'undici'
import { serveRemote } from '../harness/remote.ts'

export type PostsMethods = typeof methods

export interface Posts {
  urls: readonly string[]
  /** Posts in progress at a time. */
  concurrency: number
  seconds: number
  bytes: number
}

const methods = {
  /** Posts as fast as undici can: the rate of a sender without any other work. Returns posts a second. */
  async run({ urls, concurrency, seconds, bytes }: Posts): Promise<number> {
    const agent = new Agent({ pipelining: 1 })
    const body = Buffer.alloc(bytes, 'x')
    const startedAt = performance.now()
    const until = startedAt + seconds * 1_000
    let posts = 0

    async function loop(first: number): Promise<void> {
      for (let turn = first; performance.now() < until; turn += concurrency) {
        const { origin, pathname } = new URL(urls[turn % urls.length] ?? '')
        const headers = { 'content-type': 'application/cloudevents+json; charset=utf-8', 'webhook-id': `bare-${posts}` }
        const response = await agent.request({ origin, path: pathname, method: 'POST', headers, body })
        await response.body.dump()
        posts++
      }
    }

    await Promise.all(Array.from({ length: concurrency }, (_, index) => loop(index)))
    const perSecond = (posts * 1_000) / (performance.now() - startedAt)
    await agent.close()
    return perSecond
  },
}

serveRemote(methods)
