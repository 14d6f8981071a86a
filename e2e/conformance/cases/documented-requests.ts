import { ok } from 'node:assert/strict'
import type { CaseGroup } from '../case.ts'
import { isObject } from '../check.ts'
import { playDocumented, type Words } from '../documented-requests.ts'
import type { Answer } from '../exchange.ts'
import { deletedAtEnd, openOnboardedSite, openSite, type Site } from '../practice.ts'
import type { TestedSystem } from '../tested-system.ts'

/** The words that stand for a site in the files. */
const wordsOf = ({ keys, ...identity }: Site): Words => ({ ...identity, ...keys })

async function play(system: TestedSystem, name: string, words: Words, answered?: (answer: Answer) => void) {
  ok((await playDocumented(system, name, words, answered)) > 3, `there are no requests in ${name}`)
}

/** Opens two sites of different organisations, the first in Great Britain, the second in Ireland. */
async function twoSites(system: TestedSystem): Promise<Words> {
  const [first, second] = await Promise.all(
    ['GB', 'IE'].map((Country) => openSite(system, { body: { Address: { Country } } })),
  )
  return {
    FirstSite: first?.SiteSlug ?? '',
    FirstOrganisation: first?.OwningOrganisationSlug ?? '',
    SecondSite: second?.SiteSlug ?? '',
    SecondOrganisation: second?.OwningOrganisationSlug ?? '',
    PracticeManagementSoftware: system.main.practiceManagementSoftware[0] ?? '',
  }
}

/** The requests of the interface document, each field, parameter and header of its tables, as a reader would type them. */
export const documentedRequests: CaseGroup = {
  title: 'the requests of the interface document, word for word',
  cases: [
    {
      title: 'Each field of a new site, its identity, its keys and its deletion',
      shows: ['createSite success', 'getSiteIdentity success', 'deleteSite success'],
      async run(system) {
        await play(system, 'sites', await twoSites(system), ({ status, body }) => {
          if (status !== 201 || !isObject(body) || !isObject(body['Identity'])) return
          const { SiteSlug, PracticeManagementSoftware: pms } = body['Identity']
          deletedAtEnd(system, String(SiteSlug), { client: system.main.id }, String(pms))
        })
      },
    },
    {
      title: 'Each parameter of the list of sites',
      shows: ['listSites success'],
      run: async (system) => play(system, 'site-list', await twoSites(system)),
    },
    {
      title: 'A payment provider account, from its creation to its deletion',
      shows: ['createAccount success', 'listAccounts success', 'getAccount success', 'deleteAccount success'],
      needs: ['sandbox'],
      run: async (system) => play(system, 'accounts', wordsOf(await openSite(system))),
    },
    {
      title: 'Each field of a new payment and of its line items',
      shows: ['createPayment success', 'getPayment success'],
      needs: ['sandbox'],
      run: async (system) => play(system, 'payments', wordsOf((await openOnboardedSite(system)).site)),
    },
    {
      title: 'A subscription, from its creation to its deletion',
      shows: ['subscribe success', 'getSubscription success', 'unsubscribe success'],
      async run(system) {
        // Where deliveries go is said by the site, since the interface has no field for it.
        const site = await openSite(system, { body: { WebhookUrl: 'https://subscriber.example/documented' } })
        await play(system, 'webhooks', wordsOf(site))
      },
    },
    {
      title: 'Each field of the event envelope, with null where it may be null',
      shows: ['publishEvents success'],
      needs: ['event source'],
      async run(system) {
        const site = await openSite(system)
        await play(system, 'events', { ...wordsOf(site), eventSource: system.main.eventSource ?? '' })
      },
    },
  ],
}
