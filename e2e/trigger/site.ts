import { readFileSync, writeFileSync } from 'node:fs'
import { NotFoundProblem } from '#client'
import { publicWildcards } from '@frontdesk/contracts'
import { SystemFault } from '../system/fault.ts'
import type { Inbox } from '../system/inbox.ts'
import { openOnboardedSite } from '../system/practice.ts'
import type { System } from '../system/system.ts'

type Client = Pick<System, 'frontdesk' | 'provider'>

/**
 * Returns the slug of the client's site for triggered events, which it opens and onboards the first time.
 *
 * @param file where the slug is remembered, by client
 */
export async function siteForTriggers(system: Client, client: string, file: string): Promise<string> {
  const remembered = readSlugs(file)
  const slug = remembered[client]
  if (slug !== undefined && (await exists(system, slug))) return slug
  const { site } = await openOnboardedSite(system, 'Triggered Events Dental')
  writeFileSync(file, JSON.stringify({ ...remembered, [client]: site.SiteSlug }, undefined, 2))
  return site.SiteSlug
}

function readSlugs(file: string): Record<string, string> {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>
  } catch {
    return {}
  }
}

async function exists({ frontdesk }: Client, slug: string): Promise<boolean> {
  return unlessMissing(frontdesk.accounts.list({ SiteSlug: slug })).then((found) => found !== undefined)
}

/** Returns the address that events of a type go to: that of the client's subscription, or the inbox, to which it subscribes then. */
export async function addressFor({ frontdesk }: Client, site: string, type: string, inbox: Inbox): Promise<string> {
  const found = await unlessMissing(frontdesk.webhooks.getSubscription({ SiteSlug: site }))
  if (found === undefined) {
    const body = { EventTypes: [...publicWildcards], Url: inbox.url }
    const { SigningSecret, PublicKey } = await frontdesk.webhooks.subscribe({ SiteSlug: site, body })
    await inbox.tell(SigningSecret ?? PublicKey ?? '')
    return inbox.url
  }
  const wildcard = `${type.split('.', 1)[0]}.*`
  if (!found.EventTypes.some((name) => name === type || name === wildcard))
    throw new SystemFault(`The subscription of site ${site} has ${found.EventTypes.join(', ')}, not ${type}.`)
  return found.Url
}

/** Returns undefined in place of a 404. */
async function unlessMissing<Found>(call: Promise<Found>): Promise<Found | undefined> {
  try {
    return await call
  } catch (error) {
    if (error instanceof NotFoundProblem) return undefined
    throw error
  }
}
