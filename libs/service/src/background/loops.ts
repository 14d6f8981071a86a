// Kubernetes restarts whole processes, so one register has the loops of the process.
const loops = new Set<{ name: string; limitMs: number; turnedAt: number | undefined }>()

/** A loop that must come round: `/livez` fails if it does not. */
export interface Loop {
  /** The loop begins a round. */
  turn(): void
  /** The loop waits for work, for as long as it takes, until its next turn. */
  rest(): void
  /** The loop has ended. */
  end(): void
}

/**
 * Registers a loop of this process, which rests until its first turn. From each turn on it has `limitMs` until it turns
 * again, rests or ends. Choose a limit far above the time of a round while a database or NATS is away: a restart heals only
 * a loop that is stuck. It ends when `signal` aborts.
 */
export function watchLoop(name: string, limitMs: number, signal?: AbortSignal): Loop {
  const loop = { name, limitMs, turnedAt: undefined as number | undefined }
  const end = () => void loops.delete(loop)
  loops.add(loop)
  signal?.addEventListener('abort', end, { once: true })
  return {
    turn: () => void (loop.turnedAt = performance.now()),
    rest: () => void (loop.turnedAt = undefined),
    end,
  }
}

/** Returns `work`, such as a handler of events. A call that takes longer than `limitMs` makes `/livez` fail. */
export function watched<Args extends unknown[], Result>(
  name: string,
  limitMs: number,
  work: (...args: Args) => Promise<Result>,
): (...args: Args) => Promise<Result> {
  return async (...args) => {
    const loop = watchLoop(name, limitMs)
    loop.turn()
    try {
      return await work(...args)
    } finally {
      loop.end()
    }
  }
}

/** Returns which loops have not come round in time, and for how long. Empty if all is well. */
export function stuckLoops(): string[] {
  const now = performance.now()
  return [...loops]
    .filter(({ turnedAt, limitMs }) => turnedAt !== undefined && now - turnedAt > limitMs)
    .map(({ name, turnedAt = now }) => `${name} (for ${Math.round((now - turnedAt) / 1000)} s)`)
}
