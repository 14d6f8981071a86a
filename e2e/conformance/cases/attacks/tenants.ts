import { randomUUID } from 'node:crypto'
import type { OperationId } from '@frontdesk/contracts'
import type { CaseGroup } from '../../case.ts'
import { ensure, isProblem } from '../../check.ts'
import { onboard, openOnboardedSite, openPayment, openSite, paymentBody, type Site } from '../../practice.ts'
import type { Credential, Query, TestedSystem } from '../../tested-system.ts'

const keyOf = ({ keys }: Site): Credential => ({ siteKey: keys.PrimaryKey })

/** Opens a site with a subscription of its own key, and two test events waiting for a receiver that does not exist. */
async function openSubscribed(system: TestedSystem): Promise<{ site: Site; delivery: string; pageToken: string }> {
  const site = await openSite(system)
  const call = { params: { SiteSlug: site.SiteSlug }, as: keyOf(site) }
  const body = { EventTypes: ['payment.*'], Url: 'https://subscriber.example/attacked' }
  await system.success('subscribe', { ...call, body }, 201)
  const { DeliveryId } = await system.success('sendTestEvent', call)
  await system.success('sendTestEvent', call)
  const { NextPageToken } = await system.success('listDeliveries', { ...call, query: { pageSize: 1 } })
  return { site, delivery: String(DeliveryId), pageToken: String(NextPageToken) }
}

export const tenants: CaseGroup = {
  title: 'attacks: tenants',
  cases: [
    {
      title: "Another site's deliveries and page tokens open nothing under your own key and site",
      async run(system) {
        const mine = await openSubscribed(system)
        const theirs = await openSubscribed(system)
        const as = keyOf(mine.site)
        const params = { SiteSlug: mine.site.SiteSlug, DeliveryId: theirs.delivery }
        for (const id of ['getDelivery', 'redeliver'] as const)
          isProblem(await system.call(id, { params, as }), { status: 404, code: 'delivery_not_found' })
        const at = (slug: string, nextPageToken: string) =>
          system.call('listDeliveries', { params: { SiteSlug: slug }, query: { nextPageToken }, as })
        const foreign = await at(mine.site.SiteSlug, theirs.pageToken)
        isProblem(foreign, { status: 400, code: 'page_token_invalid' })
        isProblem(await at(theirs.site.SiteSlug, theirs.pageToken), { status: 404, code: 'site_not_found' })
        await system.success('listDeliveries', { params, query: { nextPageToken: mine.pageToken }, as })
      },
    },
    {
      title: "Another site's payments, refunds and accounts do not exist under your own key and site",
      needs: ['sandbox'],
      async run(system) {
        const { site, account } = await openOnboardedSite(system)
        const { RecordId: payment } = await openPayment(system, site.SiteSlug)
        const mine = await openSite(system)
        const refund = { Amount: 1, Reason: 'x' }
        const attempts: readonly [OperationId, Record<string, string>, unknown?][] = [
          ['getPayment', { PaymentIdentifier: payment }],
          ['cancelPayment', { PaymentIdentifier: payment }],
          ['listRefunds', { PaymentIdentifier: payment }],
          ['createRefund', { PaymentIdentifier: payment }, refund],
          ['getRefund', { PaymentIdentifier: payment, RefundIdentifier: randomUUID() }],
          ['getAccount', { AccountId: account.accountId }],
          ['deleteAccount', { AccountId: account.accountId }],
        ]
        for (const [id, entity, body] of attempts)
          for (const slug of [mine.SiteSlug, site.SiteSlug]) {
            const answer = await system.call(id, { params: { SiteSlug: slug, ...entity }, body, as: keyOf(mine) })
            ensure(answer.status === 404 && !answer.text.includes('Amount'), answer, `${id} reaches another site`)
          }
        const params = { SiteSlug: site.SiteSlug, PaymentIdentifier: payment }
        await system.success('getPayment', { params })
        await system.success('getAccount', { params: { SiteSlug: site.SiteSlug, AccountId: account.accountId } })
      },
    },
    {
      title: "Another tenant's payments are in no list across sites, under no filter, and no site key opens that list",
      needs: ['sandbox', 'several systems'],
      timeoutMs: 60_000,
      async run(system) {
        const client = system.several
        if (client === undefined) return
        const as = { client: client.id }
        const foreign = client.practiceManagementSoftware.find(
          (one) => !system.main.practiceManagementSoftware.includes(one),
        )
        const headers = { 'x-practice-management-software': foreign ?? '' }
        const site = await openSite(system, { as, headers, body: { Currency: 'GBP', Address: { Country: 'GB' } } })
        await onboard(system, site.SiteSlug, as)
        const Reference = `THEIRS-${randomUUID()}`
        const body = paymentBody({ Reference })
        const { RecordId } = await system.success('createPayment', { params: { SiteSlug: site.SiteSlug }, body, as })
        const found = async (query: Query, reader: Credential) =>
          (await system.success('listAllPayments', { query, as: reader })) as { Items: { RecordId: string }[] }
        for (const query of [
          { Reference },
          { Sites: site.SiteSlug },
          { Sites: site.SiteSlug, Reference },
          { pageSize: 250 },
        ]) {
          const { Items } = await found(query, { client: system.main.id })
          if (Items.some((item) => item.RecordId === RecordId)) throw new Error("another tenant's payment is listed")
        }
        if ((await found({ Reference }, as)).Items.length !== 1) throw new Error('its own tenant does not find it')
        isProblem(await system.call('listAllPayments', { as: keyOf(site) }), { status: 401 })
        isProblem(await system.call('listPracticeManagementSystems', { as: keyOf(site) }), { status: 401 })
      },
    },
    {
      title: "An Idempotency-Key of another site or client never returns that caller's answer",
      async run(system) {
        const headers = { 'idempotency-key': `attack-${randomUUID()}` }
        const secrets: string[] = []
        for (const site of [await openSite(system), await openSite(system)])
          for (const as of [keyOf(site), { client: system.main.id }]) {
            const body = { EventTypes: ['payment.*'], Url: 'https://subscriber.example/attacked' }
            const call = { params: { SiteSlug: site.SiteSlug }, body, headers, as }
            secrets.push(String((await system.success('subscribe', call, 201))['SigningSecret']))
          }
        if (new Set(secrets).size !== secrets.length) throw new Error('two callers have the same secret')
      },
    },
    {
      title: 'A page token that is made up opens nothing, and one of another client shows no site that you may not see',
      async run(system) {
        const call = { query: { pageSize: 1 } }
        await openSite(system)
        await openSite(system)
        const [body = ''] = String((await system.success('listSites', call))['NextPageToken']).split('.')
        const made = Buffer.from('["s0000000000","x"]').toString('base64url')
        for (const nextPageToken of [body, `${body}.${made}`, `${made}.${made}`, made, `${body}.`, "'or'1'='1"]) {
          const answer = await system.call('listSites', { query: { nextPageToken } })
          isProblem(answer, { status: 400, code: 'page_token_invalid' })
        }
        const { several, main } = system
        const theirs = several?.practiceManagementSoftware.find((pms) => !main.practiceManagementSoftware.includes(pms))
        if (several === undefined || theirs === undefined) return
        const as = { client: several.id }
        const headers = { 'x-practice-management-software': theirs }
        await openSite(system, { as, headers })
        await openSite(system, { as, headers })
        const { NextPageToken: token } = await system.success('listSites', { ...call, as })
        const answer = await system.call('listSites', { query: { nextPageToken: String(token), pageSize: 250 } })
        ensure([200, 400].includes(answer.status), answer, 'neither answered nor refused')
        ensure(!answer.text.includes(`"${theirs}"`), answer, 'it shows sites of a system without access')
      },
    },
  ],
}
