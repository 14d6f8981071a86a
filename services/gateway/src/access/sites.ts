import type { SiteAccess } from '@frontdesk/contracts'
import { createDrops } from './drops.ts'

export const freshMs = 60_000
export const unknownMs = 5_000
export const staleMs = 10 * 60_000
/** While registry does not answer, it is asked again for a site this often at most. */
const retryMs = 2_000
/** Most entries of each kind; the oldest answers are let go first. */
const most = 50_000

/** What the gateway knows of sites: a cache of registry's answers (design section 5, "Site access at the gateway"). */
export interface Sites {
  /** The site of a slug, or undefined where there is none. Throws where registry does not answer and nothing is known. */
  bySlug(slug: string): Promise<SiteAccess | undefined>
  /** The site that a key opens, by the SHA-256 of the key in hex. */
  byKeyHash(keyHash: string): Promise<SiteAccess | undefined>
  /** Forgets a site, named by its slug or its PMS-specific id; what is being asked right now counts as old, too. */
  drop(identifier: string): void
  /** Takes nothing as fresh any more: news may have been missed. What is known still serves while registry is away. */
  recheckAll(): void
}

export interface SitesOptions {
  /** Registry's answers; undefined: it knows of no such site. Throw where it does not answer. */
  askBySlug: (slug: string) => Promise<SiteAccess | undefined>
  askByKeyHash: (keyHash: string) => Promise<SiteAccess | undefined>
  /** Milliseconds that never go back. */
  now?: () => number
  /** Told of what the cache could not answer. */
  onLookup?: (outcome: 'found' | 'unknown' | 'failed') => void
  onStale?: () => void
}

interface Answer {
  site: SiteAccess | undefined
  /** When it was asked, in drops: an answer is older than any drop after it. */
  asked: number
  epoch: number
  freshUntil: number
  staleUntil: number
  /** Registry did not answer the last time: serve this, and ask beside. */
  failing: boolean
}

/** Makes the cache: 60 s fresh, unknown ones 5 s, one question at a time for each site, stale for 10 minutes while registry is away. */
export function createSites({
  askBySlug,
  askByKeyHash,
  now = () => performance.now(),
  onLookup,
  onStale,
}: SitesOptions): Sites {
  const drops = createDrops(now, freshMs + staleMs)
  let epoch = 0

  function createLookup(ask: (id: string) => Promise<SiteAccess | undefined>, idIsSlug: boolean) {
    const known = new Map<string, Answer>()
    // Apart, so that guesses cannot push out what is known.
    const unknown = new Map<string, Answer>()
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
        const until = now() + (site === undefined ? unknownMs : freshMs)
        const staleUntil = site === undefined ? until : until + staleMs
        const answer = { site, asked, epoch: inEpoch, freshUntil: until, staleUntil, failing: false }
        // Dropped while it was on its way: it may be of before. Under a storm of changes the third answer has to do.
        if (attempt < 3 && isDropped(id, answer)) continue
        keep(id, answer)
        return answer
      }
    }

    function keep(id: string, answer: Answer): void {
      known.delete(id)
      unknown.delete(id)
      const answers = answer.site === undefined ? unknown : known
      if (answers.size >= most) answers.delete(answers.keys().next().value ?? '')
      answers.set(id, answer)
      onLookup?.(answer.site === undefined ? 'unknown' : 'found')
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

    return async function find(id: string): Promise<SiteAccess | undefined> {
      const last = known.get(id) ?? unknown.get(id)
      const at = now()
      if (last === undefined || at >= last.staleUntil || isDropped(id, last)) return askAgain(id, undefined)
      if (at < last.freshUntil && last.epoch === epoch) {
        if (last.failing) onStale?.()
        return last.site
      }
      if (!last.failing) return askAgain(id, last.site === undefined ? undefined : last)
      // Nobody waits for a registry that did not answer a moment ago.
      void askAgain(id, last).catch(() => {})
      onStale?.()
      return last.site
    }
  }

  return {
    bySlug: createLookup(askBySlug, true),
    byKeyHash: createLookup(askByKeyHash, false),
    drop: drops.add,
    recheckAll: () => void (epoch += 1),
  }
}
