import { maxEventBytes, type EventOrigin, type EventSite } from '@frontdesk/events'
import { Visibility, type Envelope } from '@frontdesk/contracts'

export const testEventType = 'subscription.test'

/** The bytes of a test event: an ordinary envelope, of a type that no real event has. Throws RangeError if it is too large. */
export function testEvent(
  origin: EventOrigin,
  event: { id: string; subscriptionId: string; site: EventSite; traceparent: string; now: Date },
): Buffer {
  const envelope: Envelope = {
    specversion: '1.0',
    id: event.id,
    source: `${origin.publicUrl}/${origin.service}`,
    type: testEventType,
    subject: event.subscriptionId,
    time: event.now.toISOString(),
    datacontenttype: 'application/json',
    siteslug: event.site.siteSlug,
    organisationslug: event.site.organisationSlug,
    billingorganisationslug: event.site.billingOrganisationSlug,
    product: event.site.product,
    pmsspecificid: event.site.pmsSpecificId,
    visibility: Visibility.Public,
    traceparent: event.traceparent,
    data: { message: 'This is a test. Nothing happened.' },
  }
  const payload = Buffer.from(JSON.stringify(envelope))
  if (payload.byteLength > maxEventBytes) throw new RangeError('the test event is too large')
  return payload
}
