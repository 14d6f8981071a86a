import { streams } from '@frontdesk/contracts'
import type { Look, Pending } from './relay-store.ts'

const batchSize = 500
const firstBackoffMs = 250
const longestBackoffMs = 30_000

/** The way to one stream: where to look for its waiting events, and when to try it again. */
interface Route {
  key: string
  /** No event with a lower `seq` waits. */
  mark: bigint
  /** The next mark, once every transaction that ran when it was found has ended: one could commit a lower `seq`. */
  candidate: { mark: bigint; transaction: bigint } | undefined
  backoffMs: number
  /** On the clock of `now`. */
  blockedUntil: number
  /** A batch is still under way: the stream answers slowly. */
  busy: boolean
}

/** The routes of a service's relay. A stream that fails delays no other. */
export interface Routes {
  /** Returns where to look now: nothing of streams that wait for their next try. */
  looks(): Look[]
  /** Returns the marks of all routes, for counting. */
  all(): Look[]
  /** Takes over what was read: moves the marks. */
  seen(pending: Pending): void
  /** Returns true if that ends an outage. */
  succeeded(key: string): boolean
  /** Returns true for the first failure of an outage, and how long the route waits now. */
  failed(key: string): { isFirst: boolean; backoffMs: number }
  setBusy(key: string, busy: boolean): void
  /** Has every route tried at once: the connection is back. */
  retryNow(): void
  /** Forgets the marks: events were marked to be published again, by us or by an operator. Adds routes for other keys. */
  lookAgain(keys?: readonly string[]): void
  /** Milliseconds until the next blocked route may be tried; Infinity if none is blocked. */
  nextTryMs(): number
}

/** Makes the routes of `service`. `now` returns milliseconds of a monotonic clock. */
export function createRoutes(service: string, now: () => number = () => performance.now()): Routes {
  const routes = new Map<string, Route>()
  const add = (key: string) =>
    routes.set(key, { key, mark: 0n, candidate: undefined, backoffMs: 0, blockedUntil: 0, busy: false })
  for (const { owner, subjects } of streams) {
    if (owner === service) for (const subject of subjects) add(streamKeyOf(subject))
  }

  const change = (key: string, work: (route: Route) => void) => {
    const route = routes.get(key)
    if (route !== undefined) work(route)
  }

  return {
    looks: () =>
      [...routes.values()]
        .filter((route) => !route.busy && route.blockedUntil <= now())
        // A stream that failed gets one event to try: hundreds would only fail again.
        .map((route) => ({ key: route.key, from: route.mark, most: route.backoffMs > 0 ? 1 : batchSize })),
    all: () => [...routes.values()].map(({ key, mark }) => ({ key, from: mark, most: batchSize })),
    seen({ byKey, top, oldestRunning, nextTransaction }) {
      for (const [key, events] of byKey) {
        const first = events[0]?.seq ?? top + 1n
        change(key, (route) => {
          const { candidate } = route
          if (candidate !== undefined && oldestRunning < candidate.transaction) return
          // What has been committed below the candidate meanwhile is among these events.
          if (candidate !== undefined) route.mark = smaller(candidate.mark, first)
          route.candidate = { mark: first, transaction: nextTransaction }
        })
      }
    },
    succeeded(key) {
      const route = routes.get(key)
      if (route === undefined || route.backoffMs === 0) return false
      route.backoffMs = 0
      return true
    },
    failed(key) {
      const route = routes.get(key)
      if (route === undefined) return { isFirst: true, backoffMs: 0 }
      const isFirst = route.backoffMs === 0
      route.backoffMs = isFirst ? firstBackoffMs : Math.min(longestBackoffMs, route.backoffMs * 2)
      route.blockedUntil = now() + route.backoffMs * (0.8 + Math.random() * 0.2)
      return { isFirst, backoffMs: route.backoffMs }
    },
    setBusy: (key, busy) => change(key, (route) => void (route.busy = busy)),
    retryNow() {
      for (const route of routes.values()) route.blockedUntil = 0
    },
    lookAgain(keys = []) {
      for (const key of keys) if (!routes.has(key)) add(key)
      for (const route of routes.values()) {
        route.mark = 0n
        route.candidate = undefined
      }
    },
    nextTryMs() {
      const blocked = [...routes.values()].map((route) => route.blockedUntil).filter((at) => at > now())
      return Math.min(...blocked) - now()
    },
  }
}

/** Returns the key of a stream in the outbox's index, from one of its subjects: `work`, or the name of the publishing service. */
export function streamKeyOf(subject: string): string {
  return subject.startsWith('work.') ? 'work' : (subject.split('.')[2] ?? '')
}

const smaller = (one: bigint, other: bigint): bigint => (one < other ? one : other)
