import { type ClientRights, type SiteAccess } from '@frontdesk/contracts'
import { composeEvent, eventSiteOf } from '@frontdesk/events'
import { eventually, openReceiver } from '@frontdesk/testing'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { deliveriesOf, openDeliveryFixture, someSite, type Caller, type DeliveryFixture } from './delivery-fixture.ts'

let fixture: DeliveryFixture
beforeAll(async () => {
  fixture = await openDeliveryFixture()
})
afterAll(() => fixture[Symbol.asyncDispose]())

const hook = 'http://127.0.0.1:9/hook'
const labelsOf = async (caller: Caller) => (await caller.call('getSubscription')).body.Labels
const keyOf = (site: SiteAccess, siteKeyId: string | undefined = uuidv7()) =>
  fixture.caller({ site, principal: { id: `site:${site.slug}`, ...(siteKeyId === undefined ? {} : { siteKeyId }) } })

/** Publishes registry's Internal event that a key of a site was replaced. */
async function publishRotation(site: SiteAccess, replacedSiteKeyId: string, version = 2): Promise<void> {
  const event = composeEvent(
    { service: 'registry', publicUrl: 'https://frontdesk.example' },
    {
      type: 'site.updated',
      aggregate: { type: 'site', id: site.slug, version },
      time: new Date(),
      site: eventSiteOf(site),
      data: {
        version,
        siteSlug: site.slug,
        name: site.name,
        practiceManagementSoftware: site.practiceManagementSystem,
        pmsSpecificSiteId: site.pmsSpecificId,
        owningOrganisationSlug: site.owningOrganisation,
        billingOrganisationSlug: site.billingOrganisation,
        siteStatus: site.status,
        replacedSiteKeyId,
      },
    },
  )
  await fixture.js.publish(event.subject, event.payload, { msgID: event.id })
}

/** Tells it as registry does, before it answers a rotation. */
async function endSiteKey(site: SiteAccess, siteKeyId: string): Promise<unknown> {
  return (await fixture.callAs('registry', 'endSiteKey', { params: { SiteSlug: site.slug, SiteKeyId: siteKeyId } }))
    .body
}

test('a thief who subscribed with a stolen site key receives nothing once the key is replaced', async () => {
  await using receiver = await openReceiver()
  const site = someSite()
  const thief = keyOf(site)
  await thief.subscribe(receiver.url)
  await fixture.publish(site)
  await eventually(() => expect(receiver.requests).toHaveLength(1))

  await publishRotation(site, thief.principal.siteKeyId ?? '')
  const owner = keyOf(site)
  await eventually(async () => expect(await labelsOf(owner)).toEqual(['payments', 'paused', 'site_key_replaced']))
  await fixture.publish(site)
  expect((await deliveriesOf(owner, 2))[0]?.State).toBe('pending')
  expect(await owner.call('sendTestEvent')).toMatchObject({ status: 422, body: { code: 'subscription_paused' } })
  const [waiting] = await deliveriesOf(owner, 2)
  const byId = { params: { DeliveryId: waiting?.DeliveryId ?? '' } }
  expect(await owner.call('redeliver', byId)).toMatchObject({ status: 422, body: { code: 'subscription_paused' } })
  await eventually(async () =>
    expect((await fixture.ownEvents()).filter(({ data }) => data['siteSlug'] === site.slug)).toMatchObject([
      { type: 'subscription.paused', data: { state: 'paused', reason: 'site_key_replaced' } },
    ]),
  )
  expect(receiver.requests).toHaveLength(1)
})

test('its owner resumes it with a present key: what waited goes to the owner, under a new secret', async () => {
  await using receiver = await openReceiver()
  await using own = await openReceiver()
  const site = someSite()
  const thief = keyOf(site)
  const owner = keyOf(site)
  const stolen = await thief.subscribe(receiver.url)
  expect(await endSiteKey(site, thief.principal.siteKeyId ?? '')).toEqual({ pausedSubscriptions: 1 })
  const event = await fixture.publish(site)
  await deliveriesOf(owner, 1)
  const secret = await owner.subscribe(own.url)
  expect(secret).toMatch(/^whsec_/)
  expect(secret).not.toBe(stolen)
  expect(await labelsOf(owner)).toEqual(['payments', 'active'])
  await eventually(() => expect(own.requests[0]?.headers['webhook-id']).toBe(event.id))
  expect(receiver.requests).toEqual([])
})

test('a replaced key that a gateway still lets through subscribes to nothing, and rotates no secret', async () => {
  const site = someSite()
  const thief = keyOf(site)
  const owner = keyOf(site)
  expect(await endSiteKey(site, thief.principal.siteKeyId ?? '')).toEqual({ pausedSubscriptions: 0 })
  const body = { EventTypes: ['payment.*'], Url: hook }
  expect(await thief.call('subscribe', { body })).toMatchObject({ status: 401, body: { code: 'unauthorized' } })
  await owner.subscribe(hook)
  expect(await thief.call('rotateSigningSecret')).toMatchObject({ status: 401 })
})

test('the other key’s subscription stays; whoever rotated the signing secret takes it along', async () => {
  const site = someSite()
  const one = keyOf(site)
  const other = keyOf(site)
  await one.subscribe(hook)
  expect(await endSiteKey(site, uuidv7())).toEqual({ pausedSubscriptions: 0 })
  expect(await labelsOf(one)).toEqual(['payments', 'active'])
  await other.call('rotateSigningSecret')
  expect(await endSiteKey(site, other.principal.siteKeyId ?? '')).toEqual({ pausedSubscriptions: 1 })
  expect(await labelsOf(one)).toEqual(['payments', 'paused', 'site_key_replaced'])
  // Told twice, as by the event after the call, it counts the same.
  expect(await endSiteKey(site, other.principal.siteKeyId ?? '')).toEqual({ pausedSubscriptions: 1 })
})

test('a subscription from before keys were known is paused by either key', async () => {
  const site = someSite()
  const unknown = fixture.caller({ site, principal: { id: `site:${site.slug}` } })
  await unknown.subscribe(hook)
  expect(await endSiteKey(site, uuidv7())).toEqual({ pausedSubscriptions: 1 })
  expect(await labelsOf(unknown)).toEqual(['payments', 'paused', 'site_key_replaced'])
})

test('only registry may say that a key was replaced', async () => {
  const call = { params: { SiteSlug: 'sAbcd', SiteKeyId: uuidv7() } }
  expect((await fixture.callAs('gateway', 'endSiteKey', call)).status).toBe(403)
})

test('an owner lists and ends all subscriptions of a site, page by page, and sees no secret of another', async () => {
  const site = someSite()
  const secret = 'very-secret'
  const clients = ['client:one', 'client:two'].map((id) => fixture.caller({ site, principal: { id } }))
  const headers = [{ Name: 'X-Key', Value: secret }]
  for (const client of clients) await client.subscribe(`http://127.0.0.1:9/${secret}?t=${secret}`, { Headers: headers })
  const owner = keyOf(site)
  const first = await owner.call('listSubscriptions', { query: '?pageSize=1' })
  const token = encodeURIComponent(first.body.NextPageToken ?? '')
  const second = await owner.call('listSubscriptions', { query: `?nextPageToken=${token}` })
  const items = [...first.body.Items, ...second.body.Items]
  expect(items.map(({ MadeBy, Receiver }) => [MadeBy, Receiver])).toEqual([
    ['client:one', 'http://127.0.0.1:9'],
    ['client:two', 'http://127.0.0.1:9'],
  ])
  expect(second.body).not.toHaveProperty('NextPageToken')
  expect(JSON.stringify(items)).not.toContain(secret)

  const byId = { params: { SubscriptionId: items[0]?.SubscriptionId ?? '' } }
  const stranger = fixture.caller()
  expect(await stranger.call('endSubscription', byId)).toMatchObject({ status: 404 })
  expect(await owner.call('endSubscription', byId)).toMatchObject({ status: 200, body: { MadeBy: 'client:one' } })
  expect(await clients[0]?.call('getSubscription')).toMatchObject({ status: 404 })
  expect(await owner.call('endSubscription', byId)).toMatchObject({ status: 404 })
  expect((await owner.call('listSubscriptions')).body.Items).toHaveLength(1)
})

type Told = ClientRights['clients'][number]
/** Tells the rights of clients as the gateway does. */
async function tell(clients: Told[], part: Omit<ClientRights, 'clients'> = {}): Promise<unknown> {
  return (await fixture.callAs('gateway', 'tellClientRights', { body: { ...part, clients } })).body
}

test('a client that lost the system, the organisation, the scope or itself receives nothing until it has the right again', async () => {
  await using receiver = await openReceiver()
  const clients = ['systems', 'organisations', 'scope', 'loyal'].map((id) =>
    fixture.caller({ principal: { id: `client:r-${id}` } }),
  )
  for (const client of clients) await client.subscribe(`${receiver.url}/${client.principal.id.slice(9)}`)
  const systems = { practiceManagementSystems: ['OpenDental'] }
  const all: Told[] = clients.map(({ principal, site }) => ({
    id: principal.id.slice(7),
    ...systems,
    organisations: [site.owningOrganisation],
  }))
  // Other tests' clients are not of this part.
  const part = { after: 'r-', upTo: 'r-z' }
  expect(await tell(all, part)).toEqual({ paused: 0, resumed: 0 })
  const left: Told[] = [
    { id: 'r-systems', practiceManagementSystems: ['Optomate'] },
    { id: 'r-organisations', ...systems, organisations: ['oOther'] },
    { id: 'r-loyal', ...systems },
  ]
  expect(await tell(left, part)).toEqual({ paused: 3, resumed: 0 })
  expect(await tell(left, part)).toEqual({ paused: 0, resumed: 0 })
  for (const client of clients) await fixture.publish(client.site)
  for (const client of clients) await deliveriesOf(client, 1)
  await eventually(() => expect(receiver.requests).toHaveLength(1))
  expect(receiver.requests.map(({ path }) => path)).toEqual(['/loyal'])
  expect(await labelsOf(clients[0]!)).toEqual(['payments', 'paused', 'rights_lost'])

  expect(await tell(all, part)).toEqual({ paused: 0, resumed: 3 })
  await eventually(() => expect(receiver.requests).toHaveLength(4))
})

test('rights decide on the subscriptions of a deleted site too, and on no site key', async () => {
  await using receiver = await openReceiver()
  const site = someSite()
  const client = fixture.caller({ site, principal: { id: 'client:q-gone' } })
  const key = keyOf(site)
  await client.subscribe(`${receiver.url}/client`)
  await key.subscribe(`${receiver.url}/key`)
  await fixture.deleteSite(site)
  await eventually(async () => expect((await client.call('getSubscription')).status).toBe(404))
  expect(await tell([], { after: 'q-', upTo: 'q-z' })).toEqual({ paused: 1, resumed: 0 })
  await fixture.publish(site, { type: 'refund.succeeded' })
  await fixture.publish(site)
  await eventually(() => expect(receiver.requests.map(({ path }) => path)).toEqual(['/key']))
})
