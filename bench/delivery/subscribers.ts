import { operations, type SiteAccess, operationUrl } from '@frontdesk/contracts'
import type { EventSite } from '@frontdesk/events'
import type { Principal } from '@frontdesk/service/tokens'
import { Agent } from 'undici'
import { everyEndpoint, siteOf, subscribingClients, type Environment } from './environment.ts'

const atOnce = 16

/** Sites and their subscribers. */
export interface Subscribers extends AsyncDisposable {
  name: string
  /** Sites to publish events for, in turn. */
  sites: EventSite[]
  /** Deliveries of each event. */
  fanout: number
}

export interface SubscribersOptions {
  /** Letters and digits; distinguishes slugs and paths. */
  name: string
  /** Indices of the receiver's endpoints that subscribe. Default: every one. */
  endpoints?: readonly number[]
  /** Subscribers of each site, 100 at most. Default 1. */
  fanout?: number
}

/**
 * Subscribes endpoints through the API of webhook-delivery; each has its own origin. Disposal unsubscribes them, which
 * cancels their pending deliveries.
 */
export async function openSubscribers(
  environment: Pick<Environment, 'system' | 'receiver' | 'origins'>,
  { name, endpoints = everyEndpoint, fanout = 1 }: SubscribersOptions,
): Promise<Subscribers> {
  const subscribers = endpoints.map((endpoint, index) => ({
    site: siteOf(name, Math.floor(index / fanout)),
    client: `client:${subscribingClients[index % fanout]}`,
    url: `${environment.origins[endpoint]}/${name}/${endpoint}`,
  }))
  const agent = new Agent({ connections: atOnce })
  await environment.receiver.call.expect(`/${name}/`)

  async function call(id: 'subscribe' | 'unsubscribe', { site, client, url }: Subscriber): Promise<void> {
    const { method, path: pattern } = operations[id]
    const path = operationUrl(pattern, { SiteSlug: site.siteSlug })
    const creation = { EventTypes: ['payment.*'], Url: url }
    const body = id === 'subscribe' ? Buffer.from(JSON.stringify(creation)) : undefined
    const headers = {
      authorization: `Bearer ${await tokenOf(environment, client, site)}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    }
    const response = await agent.request({
      origin: environment.system.url('webhook-delivery'),
      path,
      method,
      headers: environment.system.issuer.sign('webhook-delivery', { method, path, headers, body }),
      ...(body === undefined ? {} : { body }),
    })
    const text = await response.body.text()
    if (response.statusCode >= 300) throw new Error(`${id}: ${response.statusCode} ${text}`)
  }

  /** A few at a time: a token does not last for the time that thousands take. */
  async function callAll(id: 'subscribe' | 'unsubscribe'): Promise<void> {
    const rest = subscribers.values()
    const loops = Array.from({ length: atOnce }, async () => {
      for (const subscriber of rest) await call(id, subscriber)
    })
    await Promise.all(loops)
  }

  await callAll('subscribe')
  return {
    name,
    fanout,
    sites: [...new Map(subscribers.map(({ site }) => [site.siteSlug, site])).values()],
    async [Symbol.asyncDispose]() {
      await callAll('unsubscribe')
      await agent.close()
    },
  }
}

interface Subscriber {
  site: EventSite
  client: string
  url: string
}

/** Returns an internal token like the gateway's for a client's request about a site. */
function tokenOf({ system }: Pick<Environment, 'system'>, client: string, site: EventSite): Promise<string> {
  const principal: Principal = { id: client, scopes: ['webhooks:write'], practiceManagementSystems: [site.product] }
  const access: SiteAccess = {
    slug: site.siteSlug,
    name: 'Bench',
    practiceManagementSystem: site.product,
    pmsSpecificId: site.pmsSpecificId,
    owningOrganisation: site.organisationSlug,
    billingOrganisation: site.billingOrganisationSlug,
    status: 'Operational',
  }
  return system.issuer.mint('webhook-delivery', { principal, site: access })
}
