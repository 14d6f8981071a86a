import { deepStrictEqual as same, ok } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { CaseGroup } from '../case.ts'
import { ensure, isProblem } from '../check.ts'
import { openOnboardedSite, openPayment } from '../practice.ts'
import type { Query, TestedSystem } from '../tested-system.ts'

interface Page {
  Items: { SiteSlug: string; RecordId: string; [member: string]: unknown }[]
  NextPageToken?: string
}

/** The payments that a list returns, over all its pages. */
async function walk(system: TestedSystem, query: Query): Promise<Page['Items']> {
  const items: Page['Items'] = []
  let nextPageToken: string | undefined
  do {
    const page = (await system.success('listAllPayments', { query: { ...query, nextPageToken } })) as unknown as Page
    items.push(...page.Items)
    nextPageToken = page.NextPageToken
  } while (nextPageToken !== undefined)
  return items
}

export const paymentLists: CaseGroup = {
  title: 'lists of payments across sites',
  cases: [
    {
      title:
        'The payments of all sites are found by site, reference, status and time, newest first, each as its own record',
      shows: ['listAllPayments success'],
      needs: ['sandbox'],
      timeoutMs: 60_000,
      async run(system) {
        const [one, other] = await Promise.all([openOnboardedSite(system), openOnboardedSite(system)])
        const [first, second] = [one.site.SiteSlug, other.site.SiteSlug]
        const Reference = `ACROSS-${randomUUID()}`
        const made = [
          await openPayment(system, first, { Reference }),
          await openPayment(system, second, { Reference }),
          await openPayment(system, second),
        ]
        const ids = made.map(({ RecordId }) => RecordId).toReversed()
        const found = async (query: Query) => (await walk(system, query)).map(({ RecordId }) => RecordId)
        const Sites = [first, second]
        for (const pageSize of [1, 2, 50]) same(await found({ Sites, pageSize }), ids)
        same(await found({ Reference }), ids.slice(1))
        same(await found({ Reference, Sites: first }), ids.slice(2))
        same(await found({ Sites, Status: 'Pending', PaymentProvider: 'Sandbox' }), ids)
        same(await found({ Sites, Status: ['Refunded', 'ChargedBack'] }), [])
        same(await found({ Sites: 'sUnknown0001' }), [])
        const CreatedTo = made[1]?.History[0]?.Timestamp
        same(await found({ Sites, CreatedTo }), ids.slice(2))
        same(await found({ Sites, CreatedFrom: CreatedTo }), ids.slice(0, 2))
        for (const { SiteSlug, ...record } of await walk(system, { Sites })) {
          const params = { SiteSlug, PaymentIdentifier: record.RecordId }
          same(record, await system.success('getPayment', { params }))
        }
      },
    },
    {
      title: 'The list is CSV for who accepts that: one line each, amounts in minor units, and the next page in Link',
      needs: ['sandbox'],
      async run(system) {
        const { site } = await openOnboardedSite(system)
        const Reference = `a "quoted", name ${randomUUID()}`
        const { RecordId } = await openPayment(system, site.SiteSlug, { Reference })
        const newer = await openPayment(system, site.SiteSlug)
        const query = { Sites: site.SiteSlug, pageSize: 1 }
        const answer = await system.call('listAllPayments', { query, headers: { accept: 'text/csv' } })
        ensure(answer.status === 200, answer, 'there is no CSV')
        same(answer.headers['content-type'], 'text/csv; charset=utf-8; header=present')
        const [header = '', line = ''] = answer.text.split('\r\n')
        same(
          Object.fromEntries(header.split(',').map((name, index) => [name, line.split(',')[index]]))['Amount'],
          '4500',
        )
        ok(line.startsWith(`${newer.RecordId},${site.SiteSlug},`), line)
        const [, next = ''] = /^<([^>]+)>; rel="next"$/.exec(String(answer.headers['link'])) ?? []
        const search = Object.fromEntries(new URL(next, system.baseUrl).searchParams)
        const rest = await system.call('listAllPayments', { query: search, headers: { accept: 'text/csv' } })
        ok(rest.text.startsWith(`${RecordId},`) && rest.text.includes(Reference.replaceAll('"', '""')), rest.text)
        const refused = await system.call('listAllPayments', { query, headers: { accept: 'text/html' } })
        isProblem(refused, { status: 406, code: 'not_acceptable' })
      },
    },
  ],
}
