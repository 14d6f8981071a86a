import { consumers, streams, type Consumer } from './streams.ts'

/** A user of NATS: what it may publish and subscribe to. Whatever is not named here, the server refuses. */
export interface BusUser {
  name: string
  publish: readonly string[]
  subscribe: readonly string[]
}

const everyConsumer: readonly Consumer[] = Object.values(consumers)
/** The services that connect to NATS. */
const services = ['gateway', ...new Set([...streams, ...everyConsumer].map(({ owner }) => owner))]

/** The gateway drops changed sites from its cache. It hears of them on core NATS, which needs no right to make consumers. */
export const siteEventsFilter = 'evt.int.registry.site.*.v1.*'

/** Returns the name of the one further consumer of a service on a stream, for its operator's commands. */
export function operatingConsumer(service: string): string {
  return `${service}-operate`
}

/** The rights to make one consumer with one filter, to read it and to remove it. */
function consuming(stream: string, name: string, filter: string): string[] {
  return [
    `$JS.API.CONSUMER.CREATE.${stream}.${name}.${filter}`,
    `$JS.API.CONSUMER.DELETE.${stream}.${name}`,
    `$JS.API.CONSUMER.INFO.${stream}.${name}`,
    `$JS.API.CONSUMER.MSG.NEXT.${stream}.${name}`,
    `$JS.ACK.${stream}.${name}.>`,
  ]
}

function serviceUser(name: string): BusUser {
  const ownStreams = streams.filter(({ owner }) => owner === name)
  const ownConsumers = everyConsumer.filter(({ owner }) => owner === name)
  // Its operator's commands read logs of events. A work queue allows no second consumer, so no command reads one.
  const reads = [
    ...ownStreams.flatMap(({ name: stream, subjects }) => subjects.map((filter) => ({ stream, filter }))),
    ...ownConsumers,
  ].filter(({ stream }) => stream.startsWith('EVT_'))
  const asked = new Set([...ownStreams.map((stream) => stream.name), ...ownConsumers.map(({ stream }) => stream)])
  // Nudges wake the service's other replicas.
  const nudges = ownStreams.length > 0 ? [`nudge.${name}.>`] : []
  return {
    name,
    publish: [
      ...ownStreams.flatMap(({ subjects }) => subjects),
      ...nudges,
      ...[...asked].map((stream) => `$JS.API.STREAM.INFO.${stream}`),
      // A consumer that finds its stream rolled back compares single messages.
      ...new Set(ownConsumers.map(({ stream }) => `$JS.API.STREAM.MSG.GET.${stream}`)),
      ...ownConsumers.flatMap((consumer) => consuming(consumer.stream, consumer.name, consumer.filter)),
      ...new Set(reads.flatMap(({ stream, filter }) => consuming(stream, operatingConsumer(name), filter))),
    ],
    subscribe: [inboxOf(name), ...nudges, ...(name === 'gateway' ? [siteEventsFilter] : [])],
  }
}

const inboxOf = (name: string): string => `_INBOX_${name}.>`

/** Makes and changes streams and consumers. It can neither publish an event nor read one. */
const provisioner: BusUser = {
  name: 'provisioner',
  publish: [
    '$JS.API.INFO',
    ...streams.flatMap(({ name }) => [
      `$JS.API.STREAM.INFO.${name}`,
      `$JS.API.STREAM.CREATE.${name}`,
      `$JS.API.STREAM.UPDATE.${name}`,
    ]),
    ...everyConsumer.flatMap(({ stream, name, filter }) => [
      `$JS.API.CONSUMER.INFO.${stream}.${name}`,
      `$JS.API.CONSUMER.CREATE.${stream}.${name}.${filter}`,
    ]),
  ],
  subscribe: [inboxOf('provisioner')],
}

/** May do everything: for tests and benches, and for a person who repairs what nobody else may. No service uses it. */
const administrator: BusUser = { name: 'administrator', publish: ['>'], subscribe: ['>'] }

/** Every user of NATS, but for those of other teams. */
export const busUsers: readonly BusUser[] = [...services.map(serviceUser), provisioner, administrator]

/**
 * Returns the user of another team, which reads the Internal or Public events that it was given, and publishes nothing. It
 * makes one durable for each filter itself, named `<team>-1`, `<team>-2` and so on, in their order.
 *
 * @param team lower-case letters, digits and hyphens
 * @param filters such as `evt.pub.payments.>` or `evt.int.registry.site.*.v1.*`
 * @throws RangeError if the name or a filter is none, or a filter is not within one stream of events
 */
export function teamUser(team: string, filters: readonly string[]): BusUser {
  if (!/^[a-z][a-z0-9-]{0,40}$/.test(team) || busUsers.some(({ name }) => name === team))
    throw new RangeError(
      `"${team}" is not the name of a team: lower-case letters, digits, hyphens, and no user of ours`,
    )
  const reading = filters.flatMap((filter, index) => {
    if (!/^evt\.(int|pub|\*)(\.[A-Za-z0-9*_-]+){1,5}(\.>)?$/.test(filter))
      throw new RangeError(`"${filter}" is no filter of Internal or Public events, such as evt.pub.payments.>`)
    const [, , publisher] = filter.split('.')
    const stream = streams.find(({ subjects }) => subjects.includes(`evt.*.${publisher}.>`))
    if (stream === undefined) throw new RangeError(`"${filter}" names no publisher whose events are on one stream`)
    return [`$JS.API.STREAM.INFO.${stream.name}`, ...consuming(stream.name, `${team}-${index + 1}`, filter)]
  })
  return { name: team, publish: reading, subscribe: [inboxOf(team)] }
}

/**
 * Returns the users as nats-server's configuration. They log in with their nkeys: it has public keys only, and no secret.
 *
 * @param keyOf returns the public nkeys of a user: one, or two while one is being replaced
 * @param openToAll the password of a user `transition`, whom everybody is who has no key: for the time in which replicas of a
 *   release run that cannot log in
 */
export function printBusUsers(
  users: readonly BusUser[],
  keyOf: (user: string) => readonly string[],
  openToAll?: string,
): string {
  const quoted = (subjects: readonly string[]) => subjects.map((subject) => JSON.stringify(subject)).join(', ')
  const entries = users.flatMap(({ name, publish, subscribe }) => {
    // An empty list of allowed subjects would allow all.
    const publishing = publish.length === 0 ? 'deny: [">"]' : `allow: [${quoted(publish)}]`
    const permissions = `{ publish: { ${publishing} }, subscribe: { allow: [${quoted(subscribe)}] } }`
    return keyOf(name).map((key) => `    # ${name}\n    { nkey: ${key}, permissions: ${permissions} }`)
  })
  if (openToAll !== undefined) entries.push(`    { user: transition, password: ${JSON.stringify(openToAll)} }`)
  const unnamed = openToAll === undefined ? '' : 'no_auth_user: transition\n'
  return `authorization {\n  users: [\n${entries.join('\n')}\n  ]\n}\n${unnamed}`
}
