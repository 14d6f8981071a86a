import { drainWithinSeconds, type Allowances, type Records, type OutboxRow } from './records.ts'

export type Invariant =
  | 'I1'
  | 'I2'
  | 'I3'
  | 'I4'
  | 'I5'
  | 'I6'
  | 'I7'
  | 'I8'
  | 'I9'
  | 'I10'
  | 'dead letters'
  | 'refusals'

/** The invariants in words. */
export const invariants: Record<Invariant, string> = {
  I1: 'every acknowledged create exists once',
  I2: 'the provider has one checkout and at most one charge for each payment',
  I3: 'each transition has one outbox event, and the event is in its stream',
  I4: 'each consumer has applied each event',
  I5: 'the events of an aggregate are in the order of their versions',
  I6: 'each event ends delivered, rejected, expired, exhausted or cancelled for each subscription, under one webhook-id',
  I7: 'no receiver has got anything but Public events',
  I8: 'the backlog has drained within 30 s of recovery',
  I9: 'no log has a secret',
  I10: 'a clean stop fails no request, and repeats no delivery',
  'dead letters': 'nothing was set aside',
  refusals: 'no valid request was refused',
}

export interface Violation {
  invariant: Invariant
  text: string
}

type Report = (text: string) => void

/** Compares the records of all sides. Returns every violation; none if all invariants hold. */
export function check(records: Records, allowed: Allowances = {}): Violation[] {
  const violations: Violation[] = []
  const reporting =
    (invariant: Invariant): Report =>
    (text) =>
      void violations.push({ invariant, text })
  checkCreates(records, allowed, reporting('I1'))
  checkCharges(records, reporting('I2'))
  checkTransitions(records, allowed, reporting('I3'))
  checkConsumers(records, allowed, reporting('I4'))
  if (allowed.streamWasLost !== true) checkOrder(records, reporting('I5'))
  checkDeliveries(records, allowed, reporting('I6'))
  checkVisibility(records, reporting('I7'))
  checkBacklog(records, reporting('I8'))
  for (const place of records.secretsInLogs) reporting('I9')(place)
  if (allowed.nothingFails === true) checkCleanStop(records, reporting('I10'))
  for (const { consumer, messageId, reason } of records.deadLetters) {
    if (allowed.poison?.has(messageId) !== true) reporting('dead letters')(`${consumer}: ${messageId} (${reason})`)
  }
  for (const refusal of records.log.refusals) reporting('refusals')(refusal)
  return violations
}

function checkCreates({ log, payments, sites }: Records, allowed: Allowances, report: Report): void {
  const paymentsOf = Map.groupBy(payments, ({ reference }) => reference)
  const sitesOf = Map.groupBy(sites, ({ name }) => name)
  for (const { kind, name, id, paid } of log.creates) {
    const made =
      kind === 'payment' ? (paymentsOf.get(name) ?? []) : (sitesOf.get(name) ?? []).map(({ slug }) => ({ id: slug }))
    if (made.length > 1) report(`${name}: requested once, and made ${made.length} times`)
    if (id === undefined || made.some((one) => one.id === id)) continue
    if (allowed.databaseWasRestored === true && paid !== true) continue
    report(`${name}: the client was told ${id}, and it ${made.length === 0 ? 'is gone' : `is ${made[0]?.id}`}`)
  }
}

function checkCharges({ ledger, log }: Records, report: Report): void {
  const names = new Map(log.creates.flatMap(({ id, name }) => (id === undefined ? [] : [[id, name] as const])))
  const of = (reference: string | null) => names.get(reference ?? '') ?? reference
  for (const [reference, checkouts] of Map.groupBy(ledger, (entry) => entry.reference)) {
    if (checkouts.length > 1) report(`${of(reference)}: ${checkouts.length} checkouts`)
    const charges = checkouts.flatMap((entry) => entry.charges.filter(({ status }) => status === 'succeeded'))
    if (charges.length > 1) report(`${of(reference)}: charged ${charges.length} times`)
  }
}

function checkTransitions({ payments, ledger, outbox, stream }: Records, allowed: Allowances, report: Report): void {
  const eventsOf = Map.groupBy(outbox, ({ aggregate }) => aggregate)
  const streamed = Map.groupBy(stream, ({ outcomeOf }) => outcomeOf)
  for (const { id, eventCount, outcome } of payments) {
    const versions = (eventsOf.get(`payment ${id}`) ?? []).map(({ version }) => version).toSorted((a, b) => a - b)
    const expected = Array.from({ length: eventCount }, (_, index) => index + 1)
    if (versions.join() !== expected.join())
      report(`${id}: ${eventCount} events, and the outbox has ${versions.join()}`)
    const outcomes = (eventsOf.get(`payment ${id}`) ?? []).filter(({ visibility }) => visibility === 1)
    const ids = new Set(outcomes.map((event) => event.id))
    // A payment that was made again does not send what its earlier life has sent: the stream has it.
    if (allowed.databaseWasRestored === true) for (const sent of streamed.get(id) ?? []) ids.add(sent.id)
    const wanted = outcome === null ? 0 : 1
    if (ids.size !== wanted) report(`${id}: ${ids.size} outcome events, expected ${wanted}`)
  }
  const known = new Map(payments.map((payment) => [payment.id, payment]))
  for (const { reference, paymentStatus } of ledger) {
    const payment = known.get(reference ?? '')
    if (paymentStatus === 'paid' && payment?.outcome == null)
      report(`${reference}: paid, and ${payment?.status ?? 'unknown here'}`)
  }
  const present = new Set(stream.map(({ id }) => id))
  for (const { id, subject, published } of outbox) {
    // A message of a work queue is gone when it is acknowledged.
    const isKept = !subject.startsWith('work.') && allowed.streamWasLost !== true
    if (!published) report(`${subject} ${id} was not published`)
    else if (isKept && !present.has(id)) report(`${subject} ${id} is published, and not in its stream`)
  }
}

function checkConsumers(
  { payments, outbox, stream, applied, accounts }: Records,
  allowed: Allowances,
  report: Report,
): void {
  const needs = (consumer: string, wants: (row: OutboxRow) => boolean) => {
    const has = new Set(applied[consumer])
    for (const row of outbox) {
      if (wants(row) && !has.has(row.id)) report(`${consumer} has not applied ${row.subject} ${row.id}`)
    }
  }
  needs('webhook-delivery-payments', ({ subject }) => subject.startsWith('evt.pub.payments.'))
  needs('webhook-delivery-accounts', ({ subject }) => subject.startsWith('evt.pub.accounts.'))
  const taken = new Set(applied['webhook-delivery-payments'])
  const known = new Set(payments.map((payment) => payment.id))
  for (const { id, outcomeOf = '' } of stream) {
    // A replay brings outcomes of earlier scenarios into the stream, too.
    if (known.has(outcomeOf) && !taken.has(id)) report(`webhook-delivery-payments has not applied ${id} of the stream`)
  }
  needs('payments-provider-events', ({ subject }) => subject.startsWith('work.payments.'))
  if (allowed.databaseWasRestored === true) return
  needs('payments-accounts', ({ subject }) => subject.startsWith('evt.int.accounts.'))
  for (const { id, version, copied } of accounts) {
    if (copied !== version) report(`payments has account ${id} in version ${copied}, and accounts in ${version}`)
  }
}

function checkOrder({ outbox, stream }: Records, report: Report): void {
  const rows = new Map(outbox.map((row) => [row.id, row]))
  const newest = new Map<string, number>()
  const seen = new Set<string>()
  for (const { id } of stream) {
    const row = rows.get(id)
    // A second copy under the same id is dropped by the inbox.
    if (row === undefined || seen.has(id)) continue
    seen.add(id)
    const before = newest.get(row.aggregate) ?? 0
    if (row.version < before) report(`${row.aggregate}: version ${row.version} follows ${before}`)
    newest.set(row.aggregate, Math.max(before, row.version))
  }
}

const ends = new Set(['delivered', 'rejected', 'expired', 'exhausted', 'cancelled'])

function checkDeliveries(records: Records, { badReceivers }: Allowances, report: Report): void {
  const { outbox, deliveries, subscriptions, receipts } = records
  const deliveriesOf = Map.groupBy(deliveries, ({ eventId }) => eventId)
  const receiptsOf = Map.groupBy(receipts, ({ webhookId }) => webhookId)
  const events = new Map(outbox.filter(({ visibility }) => visibility === 1).map((row) => [row.id, row]))
  for (const [id, { subject }] of events) {
    const site = subject.split('.').at(-1)
    for (const subscription of subscriptions) {
      if (subscription.site !== site || !subscription.throughout) continue
      const own = (deliveriesOf.get(id) ?? []).filter(({ subscriptionId }) => subscriptionId === subscription.id)
      if (own.length !== 1) report(`${subject} ${id} has ${own.length} deliveries to ${subscription.url}`)
    }
  }
  for (const { eventId, url, state } of deliveries) {
    const isBad = badReceivers?.has(url) === true
    if (!ends.has(state) && !isBad) report(`${eventId} is ${state} for ${url}`)
    if (state !== 'delivered' && ends.has(state) && !isBad) report(`${eventId} ended ${state} for ${url}`)
    const arrived = (receiptsOf.get(eventId) ?? []).filter((receipt) => receipt.url === url)
    if (state === 'delivered' && arrived.length === 0) report(`${eventId} is delivered, and ${url} did not get it`)
    const digest = events.get(eventId)?.digest
    if (digest !== undefined && arrived.some((receipt) => receipt.digest !== digest)) {
      report(`${eventId} arrived with other bytes`)
    }
  }
  for (const { webhookId, url, verified } of receipts) {
    if (!verified) report(`${webhookId} arrived at ${url} with a signature that does not match`)
  }
  for (const { id, version } of doubledOutcomes(records))
    report(`${id}: its outcome arrived under ${version} webhook-ids`)
}

/** Returns the payments whose outcome arrived under more than one webhook-id. */
function doubledOutcomes({ outbox, receipts }: Records): { id: string; version: number }[] {
  const arrived = new Set(receipts.map(({ webhookId }) => webhookId))
  const outcomes = outbox.filter(({ id, visibility }) => visibility === 1 && arrived.has(id))
  return [...Map.groupBy(outcomes, ({ aggregate }) => aggregate)]
    .filter(([, rows]) => rows.length > 1)
    .map(([id, rows]) => ({ id, version: rows.length }))
}

function checkVisibility({ outbox, deliveries, receipts }: Records, report: Report): void {
  const hidden = new Map(outbox.filter(({ visibility }) => visibility !== 1).map((row) => [row.id, row.subject]))
  const known = new Set([...outbox.map(({ id }) => id), ...deliveries.map(({ eventId }) => eventId)])
  for (const { webhookId, url } of receipts) {
    const subject = hidden.get(webhookId)
    if (subject !== undefined) report(`${url} got ${subject}`)
    else if (!known.has(webhookId)) report(`${url} got ${webhookId}, which nobody published`)
  }
}

function checkBacklog({ drained: { seconds, left } }: Records, report: Report): void {
  const remaining = Object.entries(left).filter(([, count]) => count > 0)
  const listed = remaining.map(([name, count]) => `${name} ${count}`).join(', ')
  if (remaining.length > 0) report(`after ${seconds.toFixed(0)} s there are left: ${listed}`)
  else if (seconds > drainWithinSeconds) report(`it took ${seconds.toFixed(0)} s`)
}

function checkCleanStop({ log, receipts }: Records, report: Report): void {
  for (const { kind, keyed, reason, at } of log.failures) {
    report(`${kind}${keyed ? '' : ' without a key'}: ${reason} at ${(at / 1_000).toFixed(1)} s`)
  }
  for (const [webhookId, posts] of Map.groupBy(receipts, (receipt) => receipt.webhookId)) {
    if (posts.length > 1) report(`${webhookId} was posted ${posts.length} times`)
  }
}
