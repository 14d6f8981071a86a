import { events, publicWildcards, Visibility, type EventType } from '@frontdesk/contracts'
import { code, plain, prose } from './markdown.ts'

interface DataSchema {
  properties?: Record<string, { type?: string; enum?: readonly string[]; format?: string; description?: string }>
  required?: readonly string[]
}

const kinds = [
  {
    visibility: Visibility.Public,
    title: 'Public events',
    text: `Public events are delivered to [webhooks](/webhooks). Name them in ${code('EventTypes')} of your subscription.`,
  },
  {
    visibility: Visibility.Internal,
    title: 'Internal events',
    text: 'Internal events are for other services of the same organisation. They are read from the [event bus](/internal-events) and never delivered to webhooks.',
  },
] as const

/** Returns the catalogue of events, from the events table. WorkQueue and Private events are nobody else's, so they are not in it. */
export function eventsPage(): string {
  const sections = kinds.map(({ visibility, title, text }) => {
    const types = (Object.keys(events) as EventType[]).filter((type) => events[type].visibility === visibility)
    return [`## ${title}`, text, ...types.map(describeEvent)].join('\n\n')
  })
  return `# Events

Each event is a [CloudEvent](https://cloudevents.io) 1.0 as JSON. ${code('type')} tells what happened, ${code('data')} has the details, ${code('siteslug')} the site, and
${code('id')} is the same however often you receive it. The JSON Schema of ${code('data')} is at the address in ${code('dataschema')}. Accept members, types and values that you
do not know: [more may come](/versioning).

A subscription may name single types, and the wildcards ${publicWildcards.map(code).join(', ')}. ${code('payment.*')} stays what it is: the outcomes of a payment.

${sections.join('\n\n')}
`
}

function describeEvent(type: EventType): string {
  const event = events[type]
  const { properties = {}, required = [] } = event.data as DataSchema
  const members = Object.entries(properties).map(([name, { description, ...schema }]) => {
    const values = schema.enum === undefined ? '' : `: ${schema.enum.map(code).join(', ')}`
    const kind = schema.format ?? schema.type ?? 'string'
    const note = description === undefined ? '' : `. ${prose(description)}`
    return `- ${code(name)} (${kind}${required.includes(name) ? '' : ', optional'})${values}${note}`
  })
  const subjects = event.owners.map((owner) =>
    code(
      `evt.${event.visibility === Visibility.Public ? 'pub' : 'int'}.${owner}.${event.entity}.${event.action}.v${event.version}.<siteslug>`,
    ),
  )
  return [
    `### ${plain(type)} {#${type.replaceAll('.', '-')}}`,
    prose(event.description),
    `Members of ${code('data')}, version ${event.version}:`,
    members.join('\n'),
    `Subject on the event bus: ${subjects.join(', ')}`,
  ].join('\n\n')
}
