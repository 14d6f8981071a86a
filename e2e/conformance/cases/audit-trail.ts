import { deepStrictEqual as same, ok } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { AuditEntry, AuditList } from '@frontdesk/contracts'
import type { CaseGroup } from '../case.ts'
import { isProblem } from '../check.ts'
import { openOnboardedSite, openSite, paymentBody, sharedSite } from '../practice.ts'
import type { Query, TestedSystem } from '../tested-system.ts'

async function page(system: TestedSystem, slug: string, query: Query = {}): Promise<AuditList> {
  const call = { params: { SiteSlug: slug }, query }
  return (await system.success('listAuditEntries', call)) as unknown as AuditList
}

/** Returns a site's entries over all pages of this size, newest first. */
async function walk(system: TestedSystem, slug: string, query: Query): Promise<AuditEntry[]> {
  const entries: AuditEntry[] = []
  let nextPageToken: string | undefined
  do {
    const { Items, NextPageToken } = await page(system, slug, { ...query, nextPageToken })
    entries.push(...Items)
    nextPageToken = NextPageToken
  } while (nextPageToken !== undefined)
  return entries
}

export const auditTrail: CaseGroup = {
  title: 'the audit trail',
  cases: [
    {
      title: 'Who did what to a site is read by time and page by page, from all services',
      shows: ['listAuditEntries success'],
      needs: ['sandbox'],
      async run(system) {
        const { site } = await openOnboardedSite(system)
        const { SiteSlug: slug, keys } = site
        const params = { SiteSlug: slug }
        await system.success('createPayment', { params, body: paymentBody(), as: { siteKey: keys.PrimaryKey } })
        await system.success('rotateSiteKey', { params: { SiteIdentifier: slug, Key: 'Secondary' } })
        const subscription = { EventTypes: ['payment.*'], Url: 'https://subscriber.example/audit' }
        const headers = { 'x-request-id': 'audit-4711' }
        await system.success('subscribe', { params, body: subscription, headers }, 201)
        isProblem(await system.call('redeliver', { params: { ...params, DeliveryId: randomUUID() } }), {
          status: 404,
        })

        const all = await walk(system, slug, {})
        const told = all.map(({ Service, Operation, Outcome }) => `${Service} ${Operation} ${Outcome}`).toReversed()
        same(
          told.filter((line) => !line.includes('mintOnboardingLink')),
          [
            'registry createSite Succeeded',
            'accounts createAccount Succeeded',
            'payments createPayment Succeeded',
            'registry rotateSiteKey Succeeded',
            'webhook-delivery subscribe Succeeded',
            'webhook-delivery redeliver Refused',
          ],
        )
        for (const entry of all) {
          same(entry.SiteSlug, slug)
          same(entry.OrganisationSlug, site.OwningOrganisationSlug)
          ok(entry.ClientAddress, `${entry.Operation} has no address`)
        }
        const byOperation = new Map(all.map((entry) => [entry.Operation, entry]))
        same(byOperation.get('createPayment')?.Principal, `site:${slug}`)
        same(byOperation.get('subscribe')?.Principal, `client:${system.main.id}`)
        same(byOperation.get('subscribe')?.RequestId, 'audit-4711')
        same(byOperation.get('redeliver')?.Code, 'delivery_not_found')

        for (const pageSize of [1, 3, all.length]) same(await walk(system, slug, { pageSize }), all)
        const [, , third] = all
        const from = third?.RecordedAt
        same(
          await walk(system, slug, { RecordedFrom: from, pageSize: 2 }),
          all.filter(({ RecordedAt }) => RecordedAt >= (from ?? '')),
        )
        same(
          await walk(system, slug, { RecordedTo: from }),
          all.filter(({ RecordedAt }) => RecordedAt < (from ?? '')),
        )
        for (const secret of system.secrets) ok(!JSON.stringify(all).includes(secret), 'an entry holds a secret')
      },
    },
    {
      title: 'No key of a site opens its audit trail',
      shows: ['listAuditEntries Unauthorized'],
      async run(system) {
        const { SiteSlug, keys } = await openSite(system)
        for (const siteKey of Object.values(keys))
          isProblem(await system.call('listAuditEntries', { params: { SiteSlug }, as: { siteKey } }), { status: 401 })
      },
    },
    {
      title: 'A page token of the audit trail is valid for its site and its times only',
      shows: ['listAuditEntries Malformed Request'],
      async run(system) {
        const { SiteSlug } = await openSite(system)
        await system.success('getSiteIdentity', { params: { SiteIdentifier: SiteSlug } })
        const { NextPageToken: nextPageToken } = await page(system, SiteSlug, { pageSize: 1 })
        ok(nextPageToken)
        const other = await sharedSite(system)
        const bad = [
          { slug: other.SiteSlug, query: { nextPageToken } },
          { slug: SiteSlug, query: { nextPageToken, RecordedFrom: '2026-01-01T00:00:00Z' } },
          ...['x', 'e30', nextPageToken.slice(1), Buffer.from('["now","x","y"]').toString('base64url')].map(
            (token) => ({
              slug: SiteSlug,
              query: { nextPageToken: token },
            }),
          ),
        ]
        for (const { slug, query } of bad)
          isProblem(await system.call('listAuditEntries', { params: { SiteSlug: slug }, query }), {
            status: 400,
            code: 'page_token_invalid',
            pointer: '/query/nextPageToken',
          })
      },
    },
  ],
}
