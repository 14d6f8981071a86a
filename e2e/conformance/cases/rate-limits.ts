import { deepStrictEqual as same, match, ok } from 'node:assert/strict'
import { setTimeout as wait } from 'node:timers/promises'
import type { CaseGroup } from '../case.ts'
import { columnsOf, operationIds, type Cell } from '../cells.ts'
import { ensure, isProblem, isSuccess } from '../check.ts'
import type { Answer } from '../exchange.ts'
import { clientOf, withClients } from '../gateway-files.ts'
import { openSite } from '../practice.ts'
import { specimenOf } from '../specimens.ts'
import type { OperationId } from '@frontdesk/contracts'
import type { TestedSystem } from '../tested-system.ts'

const limited = operationIds.filter((id) => columnsOf(id).includes('Too many requests'))

/** Returns the rest of the quota from the RateLimit header. */
function remaining(answer: Answer): number {
  return Number(/;r=(\d+);/.exec(answer.headers['ratelimit'] ?? '')?.[1] ?? Number.NaN)
}

/** Sends each operation once while cheap requests of the same client use up its quota. Returns the answers. */
async function inAFlood(system: TestedSystem, ids: readonly OperationId[]): Promise<Map<OperationId, Answer>> {
  const as = { client: system.main.id }
  const authorization = `Bearer ${await system.token(system.main)}`
  const cheap = { method: 'GET', path: '/api/v1/nothing-here', headers: { authorization } }
  const wave = (count: number) => Promise.all(Array.from({ length: count }, () => system.askOnce(cheap)))
  let more = true
  const flood = (async () => {
    while (more) await wave(60)
  })()
  try {
    for (let tries = 0; (await system.askOnce(cheap)).status !== 429 && tries < 200; tries++) await wait(10)
    const answers = ids.map(async (id) => {
      const call = { ...specimenOf(id, 'sUnknown0001'), as, keepLimited: true, body: '{' }
      return [id, await system.call(id, call)] as const
    })
    return new Map(await Promise.all(answers))
  } finally {
    more = false
    await flood
  }
}

export const rateLimits: CaseGroup = {
  title: 'rate limits',
  cases: [
    {
      title: 'Every operation counts towards its quota; beyond it the answer is 429 with the time to wait',
      shows: limited.map((id): Cell => `${id} Too many requests`),
      timeoutMs: 90_000,
      async run(system) {
        const before = await system.call('listSites', { query: { pageSize: 1 } })
        ensure(
          before.headers['ratelimit'] !== undefined,
          before,
          `${system.main.id} has no rate limit: name a client that has one`,
        )
        let left = limited
        for (let round = 0; left.length > 0 && round < 20; round++) {
          for (const [id, answer] of await inAFlood(system, left)) {
            if (answer.status !== 429) continue
            isProblem(answer, { status: 429, code: 'rate_limited' })
            left = left.filter((one) => one !== id)
          }
        }
        same(left, [], 'never limited')
        await wait(1_000)
      },
    },
    {
      title: 'Every answer, even a refusal, states the quota and the rest of it',
      async run(system) {
        const { SiteSlug } = await openSite(system)
        const answers = [
          await system.call('listSites', { query: { pageSize: 1 } }),
          await system.call('listSites', { query: { pageSize: 0 } }),
          await system.call('listAccounts', { params: { SiteSlug: 'sUnknown0001' } }),
          await system.call('listAccounts', { params: { SiteSlug } }),
          await system.call('listAccounts', {
            params: { SiteSlug },
            as: { client: system.main.id, scopes: ['sites:read'] },
          }),
        ]
        for (const answer of answers) {
          match(answer.headers['ratelimit-policy'] ?? '', /^"[\w-]+";q=\d+;w=\d+$/)
          match(answer.headers['ratelimit'] ?? '', /^"[\w-]+";r=\d+;t=\d+$/)
        }
        // By default; the development clients have no settings of their own.
        if (system.control !== undefined) match(answers[0]?.headers['ratelimit-policy'] ?? '', /^"default";q=200;w=2$/)
        const anonymous = await system.call('listSites', { as: 'nobody' })
        ensure(anonymous.headers['ratelimit'] === undefined, anonymous, 'nobody has a quota')
      },
    },
    {
      title: 'A site key has 40 requests in 2 seconds, apart from the other key and from clients, and gets them back',
      async run(system) {
        const { SiteSlug, keys } = await openSite(system)
        const use = (siteKey: string) =>
          system.call('listAccounts', { params: { SiteSlug }, as: { siteKey }, keepLimited: true })
        const first = await use(keys.PrimaryKey)
        match(first.headers['ratelimit-policy'] ?? '', /;q=40;w=2$/)
        const answers = await Promise.all(Array.from({ length: 60 }, () => use(keys.PrimaryKey)))
        const refused = answers.filter(({ status }) => status === 429)
        ok(refused.length >= 5, `${refused.length} of 60 were refused`)
        for (const answer of refused) isProblem(answer, { status: 429, code: 'rate_limited' })
        isSuccess(await use(keys.SecondaryKey), 'listAccounts', 200)
        await system.success('listAccounts', { params: { SiteSlug } })
        await wait(Number(refused[0]?.headers['retry-after']) * 1_000)
        isSuccess(await use(keys.PrimaryKey), 'listAccounts', 200)
      },
    },
    {
      title: 'The quota (429) is checked before the scope (403), the address and the site (404)',
      async run(system) {
        const { SiteSlug, keys } = await openSite(system)
        const as = { siteKey: keys.PrimaryKey }
        const call = (slug: string) =>
          system.call('listAccounts', { params: { SiteSlug: slug }, as, keepLimited: true })
        const slugs = Array.from({ length: 120 }, (_, index) => (index % 2 === 0 ? SiteSlug : 'sUnknown0001'))
        const answers = await Promise.all(slugs.map(call))
        for (const wanted of [SiteSlug, 'sUnknown0001']) {
          const statuses = answers.filter((_, index) => slugs[index] === wanted).map(({ status }) => status)
          ok(statuses.includes(429), `${wanted} is never limited: ${statuses.join(' ')}`)
        }
        isProblem(await system.call('listAccounts', { params: { SiteSlug }, as: 'nobody' }), { status: 401 })
      },
    },
    {
      title: 'A client has the quota of its settings: so many requests at once, then none until time has passed',
      needs: ['files'],
      timeoutMs: 40_000,
      async run(system) {
        const practiceManagementSoftware = system.main.practiceManagementSoftware
        const slow = clientOf({ practiceManagementSoftware, rateLimit: { requests: 5, windowSeconds: 3_600 } })
        await withClients(system, [slow], async () => {
          const as = { token: await system.token(slow.entry) }
          for (const left of [4, 3, 2, 1, 0]) {
            const answer = await system.call('listSites', { query: { pageSize: 1 }, as, keepLimited: true })
            same([answer.status, remaining(answer)], [200, left])
            match(answer.headers['ratelimit-policy'] ?? '', /;q=5;w=3600$/)
          }
          const over = await system.call('listSites', { as, keepLimited: true })
          isProblem(over, { status: 429, code: 'rate_limited' })
          const seconds = Number(over.headers['retry-after'])
          ok(seconds > 600 && seconds <= 720, `it says to wait ${seconds} s`)
          const other = { token: await system.newToken(slow.entry) }
          same((await system.call('listSites', { as: other, keepLimited: true })).status, 429)
        })
      },
    },
  ],
}
