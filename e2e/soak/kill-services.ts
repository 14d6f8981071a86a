import { setTimeout as wait } from 'node:timers/promises'
import type { DevStack } from '@frontdesk/dev-stack'
import { isRunning } from '../system/is-running.ts'
import { shuffled } from '../system/random.ts'

const services = ['payments', 'accounts', 'gateway', 'registry', 'webhook-delivery'] as const

export interface Killing {
  /** How often each service was killed. */
  readonly kills: Readonly<Record<string, number>>
  stop(): Promise<void>
}

export interface KillingOptions {
  random: () => number
  /** The shortest and the longest time between two kills, in milliseconds. */
  between: readonly [number, number]
}

/**
 * Kills one service after the other with SIGKILL, at random times and in random order, each as often as the others. The dev
 * stack starts them again.
 */
export function startKilling(devStack: DevStack, { random, between: [shortest, longest] }: KillingOptions): Killing {
  const kills: Record<string, number> = {}
  const stopping = new AbortController()
  let round: string[] = []

  async function killOneByOne(): Promise<void> {
    for (;;) {
      await wait(shortest + random() * (longest - shortest), undefined, { signal: stopping.signal })
      if (round.length === 0) round = shuffled(services, random)
      const service = round.pop() ?? ''
      // A service that is still restarting after its last kill is spared.
      if (!isRunning(devStack.dev.services[service]?.pid ?? 0)) continue
      devStack.kill(service, 'SIGKILL')
      kills[service] = (kills[service] ?? 0) + 1
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
