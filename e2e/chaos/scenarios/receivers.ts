import { createServer as createTlsServer } from 'node:https'
import type { ReceiverReply } from '@frontdesk/testing/receiver'
import { openPractice } from '../../system/practice.ts'
import type { Delivery } from '../../system/subscriber.ts'
import type { Scenario } from '../scenario.ts'

/** How each bad receiver answers, until it is healed. */
const manners: Record<string, (posts: number) => ReceiverReply> = {
  'answers 500': () => ({ status: 500 }),
  'answers 429 with Retry-After': () => ({ status: 429, headers: { 'retry-after': '2' } }),
  'never answers': () => 'hang',
  'resets the connection': () => 'drop',
  'answers after 2 s': () => ({ status: 204, after: 2_000 }),
  'answers with 4 MB': () => ({ status: 200, body: 'x'.repeat(4 * 1024 * 1024) }),
  'answers 503 every other time': (posts) => ({ status: posts % 2 === 0 ? 204 : 503 }),
}

export const badReceivers: Scenario = {
  name: 'bad-receivers',
  title: 'Receivers answer 500, 429, 410, late, hugely, with a reset, without TLS or never; the others must not notice',
  // Its receivers stay, and no other scenario should meet them.
  own: {},
  async play({ environment, load, allowed, inject, during, recovered, expect, count, use }) {
    const { system, practices } = environment
    const healthy = [...practices]
    const names = [...Object.keys(manners), 'answers 410', 'has no TLS']
    const bad = await Promise.all(names.map((name) => openPractice(system, name)))
    for (const [index, practice] of bad.entries()) {
      const manner = manners[names[index] ?? '']
      const replies = new Map<string, number>()
      const answer = ({ webhookId }: Delivery): ReceiverReply => {
        const posts = (replies.get(webhookId) ?? 0) + 1
        replies.set(webhookId, posts)
        return manner === undefined ? { status: 410 } : manner(posts)
      }
      practice.subscriber.reply(answer)
    }
    // Nobody speaks TLS at this port, and then somebody without a certificate does.
    const refusing = createTlsServer().listen(0, '127.0.0.1')
    const address = refusing.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    use({ [Symbol.asyncDispose]: async () => void refusing.close() })
    const insecure = bad.at(-1)
    if (insecure !== undefined) {
      const body = { EventTypes: ['payment.*'], Url: `https://127.0.0.1:${port}/` }
      await system.frontdesk.webhooks.subscribe({ SiteSlug: insecure.slug, body })
    }
    allowed.badReceivers = new Set([
      `https://127.0.0.1:${port}`,
      ...bad.slice(-2).map(({ subscriber }) => subscriber.url),
    ])
    // From here on the load is for all of them.
    practices.push(...bad)
    use({
      async [Symbol.asyncDispose]() {
        // Their receipts are read, their sites get no more load.
        for (const { slug } of bad.slice(-2)) await system.frontdesk.webhooks.unsubscribe({ SiteSlug: slug })
      },
    })
    inject(names.join(', '))
    await during(8, 60)
    const slowest = slowestFirstPost(healthy.flatMap(({ subscriber }) => subscriber.deliveries))
    count(`the slowest first post to a healthy receiver came ${slowest} ms after its event`)
    expect(slowest < 5_000, 'healthy receivers get their events within 5 s')
    for (const { subscriber } of bad.slice(0, -2)) subscriber.reply(() => ({ status: 204 }))
    inject('all but two are healed')
    load.setRate(0)
    recovered()
    const gone = bad.at(-2)
    const posts = gone?.subscriber.deliveries.length ?? 0
    await during(3, 10)
    expect((gone?.subscriber.deliveries.length ?? 0) === posts, 'the receiver that is gone gets nothing more')
  },
}

/** Returns the longest time from an event to its first post, in ms. */
function slowestFirstPost(deliveries: readonly Delivery[]): number {
  const first = new Map<string, number>()
  for (const { webhookId, event, request } of deliveries) {
    if (!first.has(webhookId)) first.set(webhookId, request.receivedAt.getTime() - Date.parse(event.time ?? ''))
  }
  return Math.max(0, ...first.values())
}
