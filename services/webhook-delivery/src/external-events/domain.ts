import { reservedTypePrefixes, Visibility, type Envelope, type SiteAccess } from '@frontdesk/contracts'
import { maxEventBytes } from '@frontdesk/events'
import type { ProblemFault } from '@frontdesk/problems'

export interface ExternalPublisher {
  site: SiteAccess
  /** The prefix of `source` that is registered for the client; without one it may publish nothing. */
  eventSource: string | undefined
}

/** An event of an external system, ready to publish: its attributes are stamped and its bytes are final. */
export interface ExternalEvent {
  /** Unique by source and id (CloudEvents 1.0.2): the same event published again is the same event. */
  key: string
  type: string
  visibility: number
  payload: Buffer
}

/**
 * Checks an external event and stamps it with the site's attributes, and with the time if it has none. Our own types, and
 * visibilities other than 0 and 1, are refused, so that nobody can forge an outcome. Returns the event, or its faults with
 * pointers into the envelope.
 */
export function acceptExternalEvent(
  envelope: Envelope,
  { site, eventSource }: ExternalPublisher,
  now: Date,
): { event: ExternalEvent } | { faults: ProblemFault[] } {
  const stamped = {
    siteslug: site.slug,
    organisationslug: site.owningOrganisation,
    billingorganisationslug: site.billingOrganisation,
    product: site.practiceManagementSystem,
    pmsspecificid: site.pmsSpecificId,
  }
  const visibility = envelope.visibility ?? Visibility.Internal
  const faults: ProblemFault[] = []
  const refuse = (member: string, detail: string) => faults.push({ pointer: `/${member}`, detail })

  if (visibility !== Visibility.Internal && visibility !== Visibility.Public) refuse('visibility', 'must be 0 or 1')
  if (eventSource === undefined) refuse('source', 'this client has no registered source')
  else if (!isUnder(envelope.source, eventSource)) refuse('source', `must be under ${eventSource}`)
  if (reservedTypePrefixes.some((prefix) => envelope.type.startsWith(prefix))) refuse('type', 'is one of our own types')
  if (!/^[\x21-\x7e]{1,200}$/.test(envelope.type)) refuse('type', 'must be 1 to 200 printable ASCII characters')
  for (const [member, value] of Object.entries(stamped)) {
    const given = envelope[member as keyof typeof stamped]
    if (given !== undefined && given !== value) refuse(member, `must be ${value}, or absent`)
  }
  const payload = Buffer.from(
    JSON.stringify({ ...envelope, ...stamped, time: envelope.time ?? now.toISOString(), visibility }),
  )
  if (payload.byteLength > maxEventBytes)
    refuse('data', `the event has ${payload.byteLength} bytes, at most ${maxEventBytes}`)
  if (faults.length > 0) return { faults }
  return { event: { key: `${envelope.source} ${envelope.id}`, type: envelope.type, visibility, payload } }
}

/** Whether a source is the prefix or lies below it: `https://a.example/x` does not cover `https://a.example/xy`. */
function isUnder(source: string, prefix: string): boolean {
  return source === prefix || source.startsWith(prefix.endsWith('/') ? prefix : `${prefix}/`)
}

/** The subject of an external event. Its type becomes one token. */
export function externalSubject(type: string, visibility: number, siteSlug: string): string {
  const token = type.replaceAll(/[^A-Za-z0-9_-]/g, '_')
  return `evt.${visibility === Visibility.Public ? 'pub' : 'int'}.external.event.${token}.v1.${siteSlug}`
}
