import { setTimeout as wait } from 'node:timers/promises'
import type { DevStack } from '@frontdesk/dev-stack'

const victims = ['payments', 'accounts', 'gateway', 'registry', 'webhook-delivery'] as const

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
 * Kills one service after the other, without a warning, at random times and in random order, each as often as the
 * others. They come back by themselves.
 */
export function startKilling(
  constellation: DevStack,
  { random, between: [shortest, longest] }: KillingOptions,
): Killing {
  const kills: Record<string, number> = {}
  const stopping = new AbortController()
  let turn: string[] = []

  async function killOneByOne(): Promise<void> {
    for (;;) {
      await wait(shortest + random() * (longest - shortest), undefined, { signal: stopping.signal })
      if (turn.length === 0) turn = shuffled(victims, random)
      const victim = turn.pop() ?? ''
      // Whoever is still on its way back from the last kill is spared.
      if (!isAlive(constellation.dev.services[victim]?.pid)) continue
      constellation.kill(victim, 'SIGKILL')
      kills[victim] = (kills[victim] ?? 0) + 1
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

function shuffled(names: readonly string[], random: () => number): string[] {
  return names
    .map((name) => ({ name, order: random() }))
    .toSorted((left, right) => left.order - right.order)
    .map(({ name }) => name)
}

function isAlive(pid: number | undefined): boolean {
  if (pid === undefined) return false
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
