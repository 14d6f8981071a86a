import { text } from 'node:stream/consumers'
import { samplesOf, sampleSlug } from './samples.ts'

/** An event as a release composes it; `payload` is in base64. */
export interface ReleasedEvent {
  id: string
  type: string
  subject: string
  headers: Record<string, string>
  payload: string
}

/** A release's answer to an event that it reads. Without a fault it took the event. */
export interface Reading {
  id: string
  type: string
  fault?: string
}

interface EventShape {
  visibility: number
  owners: readonly string[]
  data: object
}

const site = {
  siteSlug: sampleSlug,
  organisationSlug: 'oRelease1',
  billingOrganisationSlug: 'oRelease1',
  product: 'Dentally',
  pmsSpecificId: '42',
}

/** The parts of a release's code that are played: the modules of its folder, as that release has them. */
interface Code {
  events: Record<string, EventShape>
  composeEvent: (origin: object, event: object) => Omit<ReleasedEvent, 'payload' | 'type'> & { payload: Uint8Array }
  parseEvent: (bytes: Uint8Array) => unknown
}

interface Intake {
  readIncoming: (message: object, now: number) => unknown
}

async function codeOf(folder: string): Promise<Code> {
  const contracts = (await import(`${folder}/libs/contracts/src/index.ts`)) as Pick<Code, 'events'>
  const library = (await import(`${folder}/libs/events/src/index.ts`)) as Omit<Code, 'events'>
  const { composeEvent, parseEvent } = library
  return { events: contracts.events, composeEvent, parseEvent }
}

/** Composes samples of every event that may be published, each by each of its owners. */
export async function composeSamples(folder: string): Promise<ReleasedEvent[]> {
  const { events, composeEvent } = await codeOf(folder)
  const published = Object.entries(events).filter(([, { visibility }]) => visibility <= 2)
  return published.flatMap(([type, { owners, data }]) =>
    owners.flatMap((service) =>
      samplesOf(data).map((sample, place) => {
        const aggregate = { type: 'sample', id: `${type}-${service}`, version: place + 1 }
        const origin = { service, publicUrl: 'https://frontdesk.example' }
        const event = composeEvent(origin, { type, aggregate, data: sample, time: new Date(), site })
        const { id, subject, headers, payload } = event
        return { id, type, subject, headers, payload: Buffer.from(payload).toString('base64') }
      }),
    ),
  )
}

/** Reads events with a release's own readers: its consumers' parser, and for Public ones its intake of webhook-delivery. */
export async function readAll(folder: string, events: readonly ReleasedEvent[]): Promise<Reading[]> {
  const { parseEvent } = await codeOf(folder)
  const { readIncoming } = (await import(`${folder}/services/webhook-delivery/src/intake/incoming.ts`)) as Intake
  return events.map(({ id, type, subject, payload }) => {
    try {
      const bytes = Buffer.from(payload, 'base64')
      parseEvent(bytes)
      const now = Date.now()
      const message = { subject, payload: bytes, messageId: id, isBeside: false, storedAt: now }
      if (subject.startsWith('evt.pub.')) readIncoming(message, now)
      return { id, type }
    } catch (error) {
      return { id, type, fault: String(error) }
    }
  })
}

// Run by a process of its own, so that the release's modules load beside ours: `player.ts FOLDER` with events on stdin.
if (process.argv[1] === import.meta.filename) {
  const folder = process.argv[2] ?? ''
  const given = await text(process.stdin)
  const answer =
    given === '' ? await composeSamples(folder) : await readAll(folder, JSON.parse(given) as ReleasedEvent[])
  process.stdout.write(JSON.stringify(answer))
}
