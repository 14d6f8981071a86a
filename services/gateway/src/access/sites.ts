import type { SiteAccess } from '@frontdesk/contracts'
import { LRUCache } from 'lru-cache'
import { createDrops } from './drops.ts'

export const freshMs = 60_000
export const unknownMs = 5_000
export const staleMs = 10 * 60_000
/** While registry does not answer, it is asked again about a site this often at most. */
const retryMs = 2_000
const maxAnswers = 50_000

/** What the gateway knows about sites: a cache of registry's answers. */
export interface Sites {
  /** Returns the site of a slug; undefined if there is none. Throws if registry does not answer and nothing is cached. */
  bySlug(slug: string): Promise<SiteAccess | undefined>
  /** Returns the site of an API key, by the SHA-256 of the key in hex. */
  byKeyHash(keyHash: string): Promise<SiteAccess | undefined>
  /** Whether there is an answer about a key, from the last 11 minutes for a site's, from the last 5 s for others. Asks nobody. */
  hasAnswer(keyHash: string): boolean
  /** Forgets a site, named by its slug or its PMS-specific id. An answer that is on its way counts as old, too. */
  drop(identifier: string): void
  /** Asks again about every site, since events may have been missed. Answers still serve while registry is away. */
  recheckAll(): void
}

export interface SitesDeps {
  /** Return registry's answer; undefined if it has no such site. Throw if it does not answer. */
  askBySlug: (slug: string) => Promise<SiteAccess | undefined>
  askByKeyHash: (keyHash: string) => Promise<SiteAccess | undefined>
  /** Milliseconds of a monotonic clock. */
  now?: () => number
  /** Called for every question to registry. */
  onLookup?: (outcome: 'found' | 'unknown' | 'failed') => void
  /** Called for every request that is served with an old answer. */
  onStale?: () => void
}

interface Answer {
  site: SiteAccess | undefined
  /** The number of drops when the question was asked: any later drop makes the answer old. */
  asked: number
  epoch: number
  freshUntil: number
  /** Registry did not answer the last time: serve this answer and ask in the background. */
  failing: boolean
}

/**
 * Makes the cache. A site is fresh for 60 s, an unknown one for 5 s; there is one question at a time about each. While registry
 * is away, a site is served for 10 minutes more.
 */
export function createSites(deps: SitesDeps): Sites {
  const { askBySlug, askByKeyHash, now = () => performance.now(), onLookup, onStale } = deps
  const drops = createDrops(now, freshMs + staleMs)
  let epoch = 0

  function createLookup(ask: (id: string) => Promise<SiteAccess | undefined>, idIsSlug: boolean) {
    const settings = { max: maxAnswers, perf: { now }, ttlResolution: 0 }
    const known = new LRUCache<string, Answer>({ ...settings, ttl: freshMs + staleMs })
    // Kept apart: guessed slugs and keys must not evict known ones.
    const unknown = new LRUCache<string, Answer>({ ...settings, ttl: unknownMs })
    const asking = new Map<string, Promise<Answer>>()

    function isDropped(id: string, { site, asked }: Answer): boolean {
      if (site === undefined) return idIsSlug && drops.isAfter(id, asked)
      return drops.isAfter(site.slug, asked) || drops.isAfter(site.pmsSpecificId, asked)
    }

    async function askNow(id: string): Promise<Answer> {
      for (let attempt = 1; ; attempt++) {
        const asked = drops.count()
        const inEpoch = epoch
        const site = await ask(id)
        const freshUntil = now() + (site === undefined ? unknownMs : freshMs)
        const answer = { site, asked, epoch: inEpoch, freshUntil, failing: false }
        // Dropped meanwhile, so the answer may be old. After two such answers the third is accepted.
        if (attempt < 3 && isDropped(id, answer)) continue
        keep(id, answer)
        return answer
      }
    }

    function keep(id: string, answer: Answer): void {
      known.delete(id)
      unknown.delete(id)
      const isKnown = answer.site !== undefined
      ;(isKnown ? known : unknown).set(id, answer)
      onLookup?.(isKnown ? 'found' : 'unknown')
    }

    function askOnce(id: string): Promise<Answer> {
      let question = asking.get(id)
      if (question === undefined) {
        question = askNow(id).finally(() => asking.delete(id))
        asking.set(id, question)
        question.catch(() => onLookup?.('failed'))
      }
      return question
    }

    async function askAgain(id: string, last: Answer | undefined): Promise<SiteAccess | undefined> {
      try {
        return (await askOnce(id)).site
      } catch (error) {
        if (last === undefined || isDropped(id, last)) throw error
        last.failing = true
        last.freshUntil = now() + retryMs
        last.epoch = epoch
        onStale?.()
        return last.site
      }
    }

    async function find(id: string): Promise<SiteAccess | undefined> {
      const last = known.get(id) ?? unknown.get(id)
      if (last === undefined || isDropped(id, last)) return askAgain(id, undefined)
      if (now() < last.freshUntil && last.epoch === epoch) {
        if (last.failing) onStale?.()
        return last.site
      }
      if (!last.failing) return askAgain(id, last.site === undefined ? undefined : last)
      // Do not wait: registry did not answer a moment ago.
      void askAgain(id, last).catch(() => {})
      onStale?.()
      return last.site
    }

    return { find, hasAnswer: (id: string) => known.has(id) || unknown.has(id) }
  }

  const slugs = createLookup(askBySlug, true)
  const keys = createLookup(askByKeyHash, false)

  return {
    bySlug: slugs.find,
    byKeyHash: keys.find,
    hasAnswer: keys.hasAnswer,
    drop: drops.add,
    recheckAll: () => void (epoch += 1),
  }
}
