import { deepStrictEqual as same, match, notStrictEqual as differs, ok } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { openReceiver } from '@frontdesk/testing/receiver'
import type { CaseGroup } from '../case.ts'
import { ensure, isProblem, isSuccess } from '../check.ts'
import { openSite, until } from '../practice.ts'

const url = 'https://subscriber.example/conformance'

export const subscriptionSuccesses: CaseGroup = {
  title: 'subscriptions: successes',
  cases: [
    {
      title: 'A new subscription returns its secret; replacing, reading and removing it do not',
      shows: ['subscribe success', 'getSubscription success', 'unsubscribe success'],
      async run(system) {
        const params = { SiteSlug: (await openSite(system)).SiteSlug }
        const Headers = [
          { Name: 'X-Api-Key', Value: `value-${randomUUID()}` },
          { Name: 'x-second', Value: 'a b\tc' },
        ]
        const body = { Headers, EventTypes: ['payment.succeeded', 'payment.failed', 'payment.cancelled'], Url: url }
        const created = await system.success('subscribe', { params, body }, 201)
        const { SigningSecret: secret, ...rest } = created
        same(rest, body)
        match(String(secret), /^whsec_[A-Za-z0-9+/]{32,}={0,2}$/)

        const fetched = await system.call('getSubscription', { params })
        const { Labels, ...shown } = isSuccess(fetched, 'getSubscription', 200)
        same(shown, { Headers: ['X-Api-Key', 'x-second'], EventTypes: body.EventTypes, Url: url })
        ok((Labels as string[]).includes('payments') && (Labels as string[]).includes('active'), String(Labels))
        for (const value of [...Headers.map((header) => header.Value), String(secret)])
          ensure(!fetched.text.includes(value), fetched, 'a secret value is returned')

        const other = { EventTypes: ['payment.*'], Url: `${url}/2` }
        const replaced = await system.success('subscribe', { params, body: other }, 200)
        same(replaced, { Headers: [], ...other })
        await system.success('subscribe', { params, body }, 200)
        same(await system.success('unsubscribe', { params }), body)
      },
    },
    {
      title: 'Headers and EventTypes alone subscribe, as the interface has it: every client, and a site API key',
      shows: ['subscribe success'],
      async run(system) {
        const { SiteSlug, keys } = await openSite(system)
        const WebhookUrl = `${url}/of-the-site`
        await system.success('changeSite', { params: { SiteIdentifier: SiteSlug }, body: { WebhookUrl } })
        const body = {
          Headers: [{ Name: 'X-Api-Key', Value: `value-${randomUUID()}` }],
          EventTypes: ['payment.succeeded', 'payment.failed', 'payment.cancelled'],
        }
        const clients = system.several === undefined ? [system.main] : [system.main, system.several]
        for (const as of [...clients.map(({ id }) => ({ client: id })), { siteKey: keys.PrimaryKey }]) {
          const {
            SigningSecret: _secret,
            Url,
            ...rest
          } = await system.success('subscribe', { params: { SiteSlug }, body, as }, 201)
          same(rest, body)
          // A client that has an address of its own gets them there.
          if ('siteKey' in as) same(Url, WebhookUrl)
          else match(String(Url), /^https?:/)
        }
      },
    },
    {
      title: 'Without a subscription, each operation on it is 404',
      shows: [
        'unsubscribe Not Found',
        'getSubscription Not Found',
        'rotateSigningSecret Not Found',
        'sendTestEvent Not Found',
        'recoverDeliveries Not Found',
        'getRecovery Not Found',
      ],
      async run(system) {
        const params = { SiteSlug: (await openSite(system)).SiteSlug }
        const gone = { status: 404, code: 'subscription_not_found' } as const
        const body = { EventTypes: ['payment.*'], Url: url }
        for (const round of ['before', 'after']) {
          for (const id of [
            'getSubscription',
            'unsubscribe',
            'rotateSigningSecret',
            'sendTestEvent',
            'getRecovery',
          ] as const)
            isProblem(await system.call(id, { params }), gone)
          const since = { Since: new Date().toISOString() }
          isProblem(await system.call('recoverDeliveries', { params, body: since }), gone)
          if (round === 'after') return
          await system.success('subscribe', { params, body }, 201)
          await system.success('unsubscribe', { params })
        }
      },
    },
    {
      title: 'Each client has its own subscription at a site, and the site keys share one',
      shows: ['subscribe success'],
      async run(system) {
        const { SiteSlug, keys } = await openSite(system)
        const credentials = [
          { client: system.main.id },
          { siteKey: keys.PrimaryKey },
          ...(system.several === undefined ? [] : [{ client: system.several.id }]),
        ]
        const params = { SiteSlug }
        for (const [index, as] of credentials.entries()) {
          const body = { EventTypes: ['payment.*'], Url: `${url}/${index}` }
          await system.success('subscribe', { params, body, as }, 201)
        }
        for (const [index, as] of [...credentials.entries(), [1, { siteKey: keys.SecondaryKey }] as const]) {
          const { Url } = await system.success('getSubscription', { params, as })
          same(Url, `${url}/${index}`)
        }
      },
    },
    {
      title: 'Whoever has access to a site lists and ends all its subscriptions, without the secrets of others',
      shows: ['listSubscriptions success', 'endSubscription success', 'endSubscription Not Found'],
      async run(system) {
        const { SiteSlug, keys } = await openSite(system)
        const params = { SiteSlug }
        const secret = `value-${randomUUID()}`
        const body = {
          EventTypes: ['payment.*'],
          Url: `${url}/${secret}?token=${secret}`,
          Headers: [{ Name: 'X-Key', Value: secret }],
        }
        await system.success('subscribe', { params, body }, 201)
        const as = { siteKey: keys.PrimaryKey }
        const listed = await system.call('listSubscriptions', { params, as })
        ensure(!listed.text.includes(secret), listed, 'a secret of another is returned')
        const [found] = isSuccess(listed, 'listSubscriptions', 200)['Items'] as Record<string, unknown>[]
        same([found?.['MadeBy'], found?.['Receiver']], [`client:${system.main.id}`, new URL(url).origin])
        const byId = { ...params, SubscriptionId: String(found?.['SubscriptionId']) }
        isSuccess(await system.call('endSubscription', { params: byId, as }), 'endSubscription', 200)
        const gone = { status: 404, code: 'subscription_not_found' } as const
        isProblem(await system.call('endSubscription', { params: byId, as }), gone)
        isProblem(await system.call('getSubscription', { params }), gone)
      },
    },
    {
      title: 'A rotated site key takes its subscription with it, until another key subscribes again',
      shows: ['sendTestEvent Unprocessable', 'redeliver Unprocessable'],
      async run(system) {
        const { SiteSlug, keys } = await openSite(system)
        const params = { SiteSlug }
        const body = { EventTypes: ['payment.*'], Url: url }
        const first = { siteKey: keys.PrimaryKey }
        const { SigningSecret: secret } = await system.success('subscribe', { params, body, as: first }, 201)
        const { DeliveryId } = await system.success('sendTestEvent', { params, as: first })
        const rotate = { params: { SiteIdentifier: SiteSlug, Key: 'Primary' } }
        same((await system.success('rotateSiteKey', rotate))['PausedSubscriptions'], 1)
        const as = { siteKey: keys.SecondaryKey }
        const { Labels } = await system.success('getSubscription', { params, as })
        same(Labels, ['payments', 'paused', 'site_key_replaced'])
        const paused = { status: 422, code: 'subscription_paused' } as const
        isProblem(await system.call('sendTestEvent', { params, as }), paused)
        const byId = { ...params, DeliveryId: String(DeliveryId) }
        isProblem(await system.call('redeliver', { params: byId, as }), paused)
        const again = await system.success('subscribe', { params, body, as }, 200)
        differs(again['SigningSecret'], secret)
        match(String(again['SigningSecret']), /^whsec_/)
        await system.success('sendTestEvent', { params, as })
        await system.success('unsubscribe', { params, as })
      },
    },
    {
      title: 'A rotated signing secret is a new one, and the previous one is valid for about a day',
      shows: ['rotateSigningSecret success'],
      async run(system) {
        const params = { SiteSlug: (await openSite(system)).SiteSlug }
        const body = { EventTypes: ['payment.*'], Url: url }
        const { SigningSecret: secret } = await system.success('subscribe', { params, body }, 201)
        const rotated = await system.success('rotateSigningSecret', { params })
        differs(rotated['SigningSecret'], secret)
        const hours = (Date.parse(String(rotated['PreviousSecretExpiresAt'])) - Date.now()) / 3_600_000
        ok(hours > 23.9 && hours < 24.1, `${hours} hours`)
      },
    },
    {
      title:
        'A test event to an address that does not answer is accepted and listed, and can be sent again and recovered',
      shows: [
        'sendTestEvent success',
        'listDeliveries success',
        'getDelivery success',
        'redeliver success',
        'recoverDeliveries success',
        'getRecovery success',
      ],
      async run(system) {
        const params = { SiteSlug: (await openSite(system)).SiteSlug }
        await system.success('subscribe', { params, body: { EventTypes: ['payment.*'], Url: url } }, 201)
        const { DeliveryId } = await system.success('sendTestEvent', { params })
        const byId = { ...params, DeliveryId: String(DeliveryId) }
        const { EventType } = await system.success('getDelivery', { params: byId })
        same(EventType, 'subscription.test')
        const query = { State: 'pending' }
        const { Items } = await system.success('listDeliveries', { params, query })
        same(
          (Items as { DeliveryId: string }[]).map((item) => item.DeliveryId),
          [DeliveryId],
        )
        await system.success('redeliver', { params: byId })
        const body = { Since: new Date(Date.now() - 60_000).toISOString() }
        isProblem(await system.call('getRecovery', { params }), { status: 404, code: 'recovery_not_found' })
        const { RecoveryId } = await system.success('recoverDeliveries', { params, body })
        same((await system.success('getRecovery', { params })).RecoveryId, RecoveryId)
        await system.success('unsubscribe', { params })
      },
    },
    {
      title: 'A test event reaches your subscription, is listed with its attempts, and can be sent again and recovered',
      shows: [
        'sendTestEvent success',
        'listDeliveries success',
        'getDelivery success',
        'redeliver success',
        'recoverDeliveries success',
      ],
      needs: ['receiver'],
      async run(system) {
        await using receiver = await openReceiver()
        const SiteSlug = (await openSite(system)).SiteSlug
        const params = { SiteSlug }
        const since = new Date(Date.now() - 60_000).toISOString()
        const body = { EventTypes: ['payment.succeeded'], Url: receiver.url, Headers: [{ Name: 'X-Key', Value: 'k' }] }
        await system.success('subscribe', { params, body }, 201)
        const sent = await system.success('sendTestEvent', { params })
        const DeliveryId = String(sent['DeliveryId'])
        const byId = { ...params, DeliveryId }
        const delivered = await until(system, 'getDelivery', byId, ({ State }) => State === 'delivered')
        same([delivered['EventType'], delivered['Attempts']], ['subscription.test', 1])
        same((delivered['AttemptList'] as { StatusCode: number }[])[0]?.StatusCode, 204)
        const list = await system.success('listDeliveries', { params })
        const { AttemptList: _attempts, ...summary } = delivered
        same(list, { Items: [summary] })

        receiver.reply(() => ({ status: 500 }))
        const again = await system.success('redeliver', { params: byId })
        match(String(again['DeliveryId']), /^[0-9a-f-]{36}$/)
        while (receiver.requests.length < 2) await wait(50)
        receiver.reply(() => ({ status: 204 }))
        const { Deliveries } = await system.success('recoverDeliveries', { params, body: { Since: since } })
        ok(Number.isInteger(Deliveries) && Number(Deliveries) >= 0)
        for (const { headers } of receiver.requests) {
          same(headers['x-key'], 'k')
          same(headers['webhook-id'], receiver.requests[0]?.headers['webhook-id'])
        }
      },
    },
    {
      title: 'A redelivery sends a waiting delivery at once, and a delivery is gone with its subscription',
      shows: ['redeliver success', 'redeliver Not Found', 'getDelivery Not Found'],
      needs: ['receiver'],
      async run(system) {
        await using receiver = await openReceiver()
        receiver.reply(() => ({ status: 503, headers: { 'retry-after': '3600' } }))
        const params = { SiteSlug: (await openSite(system)).SiteSlug }
        const body = { EventTypes: ['payment.*'], Url: receiver.url }
        await system.success('subscribe', { params, body }, 201)
        const { DeliveryId } = await system.success('sendTestEvent', { params })
        const byId = { ...params, DeliveryId: String(DeliveryId) }
        const waiting = await until(system, 'getDelivery', byId, ({ Attempts }) => Attempts === 1)
        ok(Date.parse(String(waiting['NextAttemptAt'])) > Date.now() + 3_500_000, 'Retry-After does not count')
        receiver.reply(() => ({ status: 204 }))
        await system.success('redeliver', { params: byId })
        await until(system, 'getDelivery', byId, ({ State }) => State === 'delivered')
        await system.success('unsubscribe', { params })
        await system.success('subscribe', { params, body }, 201)
        for (const id of ['getDelivery', 'redeliver'] as const)
          isProblem(await system.call(id, { params: byId }), { status: 404, code: 'delivery_not_found' })
      },
    },
  ],
}
