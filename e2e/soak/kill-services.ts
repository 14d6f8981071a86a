import { setTimeout as wait } from 'node:timers/promises'
import type { DevStack } from '@frontdesk/dev-stack'
import { shuffled } from '../system/random.ts'

const services = ['payments', 'accounts', 'gateway', 'registry', 'webhook-delivery'] as const

export interface Killing {
  /** How often each service was killed. */
  readonly kills: Readonly<Record<string, number>>
  stop(): Promise<void>
}

export interface KillingOptions {
  random: () => number
  /** The shortest and the longest time in which all services run between two kills, in milliseconds. */
  between: readonly [number, number]
}

/**
 * Kills services with SIGKILL, at random times and in random order, each as often as the others: one, or two at once. The
 * dev stack starts them again.
 */
export function startKilling(devStack: DevStack, { random, between: [shortest, longest] }: KillingOptions): Killing {
  const kills: Record<string, number> = {}
  const stopping = new AbortController()
  let round: string[] = []

  function kill(): string {
    if (round.length === 0) round = shuffled(services, random)
    const service = round.pop() ?? ''
    devStack.kill(service, 'SIGKILL')
    kills[service] = (kills[service] ?? 0) + 1
    return service
  }

  async function killOneByOne(): Promise<void> {
    for (;;) {
      await wait(shortest + random() * (longest - shortest), undefined, { signal: stopping.signal })
      const killed = Array.from({ length: random() < 0.25 ? 2 : 1 }, kill)
      // Without waiting for the killed to be back, a slow machine would have no time in which everything runs.
      await Promise.all(killed.map(untilReady))
    }
  }

  async function untilReady(service: string): Promise<void> {
    const url = `${devStack.dev.services[service]?.url}/readyz`
    for (;;) {
      await wait(200, undefined, { signal: stopping.signal })
      const reply = await fetch(url, { signal: AbortSignal.timeout(2_000) }).catch(() => undefined)
      if (reply?.ok === true) return
    }
  }

  const killing = killOneByOne().catch((error: unknown) => {
    if (!stopping.signal.aborted) throw error
  })
  return {
    kills,
    async stop() {
      stopping.abort()
      await killing
    },
  }
}
