import type { ServerResponse } from 'node:http'
import { problem } from '@frontdesk/problems'
import type { GatewayMetrics } from '../metrics.ts'
import { networkOf } from '../rate-limits/addresses.ts'
import { overloaded } from './shedding.ts'

/**
 * The requests whose bodies are on their way and prove something only once they are there: logins and webhooks. They take the place of
 * no request that is being worked on, however slowly they come.
 */
export interface Arrivals {
  /**
   * Counts a request until the returned function is called or its connection is closed. Throws `rate_limited` if its address has too
   * many on their way, and `overloaded` if all together are too many.
   */
  admit(response: ServerResponse, address: string): () => void
  count(): number
}

/** One address; a provider's webhooks are there within milliseconds, so this is thousands a second. */
const mostOfAddress = 32

/** @param most bodies on their way in all; each holds a connection and up to 256 KiB */
export function createArrivals(most: number, metrics: GatewayMetrics): Arrivals {
  const byNetwork = new Map<string, number>()
  let all = 0

  return {
    admit(response, address) {
      const network = networkOf(address)
      const ofNetwork = byNetwork.get(network) ?? 0
      if (ofNetwork >= mostOfAddress) {
        metrics.rateLimited.inc({ policy: 'arriving' })
        throw problem('rate_limited', {
          detail: `${mostOfAddress} requests of your address have not arrived yet.`,
          retryAfter: 1,
        })
      }
      if (all >= most) {
        metrics.shed.inc({ reason: 'arriving' })
        throw overloaded()
      }
      all += 1
      byNetwork.set(network, ofNetwork + 1)
      let isOver = false
      const over = () => {
        if (isOver) return
        isOver = true
        all -= 1
        const left = (byNetwork.get(network) ?? 1) - 1
        if (left > 0) byNetwork.set(network, left)
        else byNetwork.delete(network)
      }
      response.once('close', over)
      return over
    },
    count: () => all,
  }
}
