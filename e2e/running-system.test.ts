import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import {
  createClient,
  ForbiddenProblem,
  MalformedRequestProblem,
  NotFoundProblem,
  UnauthorizedProblem,
  UnprocessableProblem,
  UserErrorProblem,
  type Envelope,
} from '#client'
import { eventSubject, publicEventTypes, publicWildcards } from '@frontdesk/contracts'
import { connectNats } from '@frontdesk/events'
import { eventually } from '@frontdesk/testing/eventually'
import { openReceiver } from '@frontdesk/testing/receiver'
import { CloudEvent, HTTP } from 'cloudevents'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { measuredServices, metricFamilies } from '../scripts/metrics/families.ts'
import { openPractice } from './system/practice.ts'
import { secretsOf } from './system/secrets.ts'
import { startSystem, type StartedSystem } from './system/start-system.ts'
import { triggers } from './trigger/triggers.ts'

let system: StartedSystem

/** What the services have logged, with the name of each before its line. */
const logged: string[] = []

beforeAll(async () => {
  system = await startSystem({ onLine: (part, line) => void logged.push(`${part} ${line}`) })
})
afterAll(() => system?.[Symbol.asyncDispose]())

const run = promisify(execFile)
const demo = (home: string) =>
  run(process.execPath, ['e2e/demo/main.ts'], { env: { ...process.env, FRONTDESK_HOME: home } })

test('The demo shows all five outcomes, a refund and a reversed one twice in a row', async () => {
  for (const _ of [1, 2]) {
    const { stdout } = await demo(system.devStack.home)
    expect(stdout).toContain('everything was as it should be')
    expect(stdout.match(/arrived, signed/g)).toHaveLength(6)
    expect(stdout).toContain('refund.failed arrived')
  }
})

/** Reads what each service tells, and looks at all of it. */
async function lookAtMetrics(): Promise<void> {
  const { devStack } = system
  const served = new Map<string, string>()
  for (const service of measuredServices) {
    const base = service === 'gateway' ? devStack.dev.gatewayMetrics : devStack.dev.services[service]?.url
    served.set(service, await (await fetch(`${base}/metrics`)).text())
  }
  const families = await metricFamilies()
  for (const [service, text] of served) {
    const names = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name, type]) => `${name} ${type}`)
    const documented = families.filter(({ services }) => services.includes(service))
    expect(names.toSorted(), service).toEqual(documented.map(({ name, type }) => `${name} ${type}`))
    // Each label that a figure has is documented, too.
    for (const [, figure = '', labels = ''] of text.matchAll(/^([a-z_]+)\{(.*)\} \S+$/gm)) {
      const family = documented.find(
        ({ name }) => figure.replace(/_(bucket|count|sum)$/, '') === name || figure === name,
      )
      for (const [, label = ''] of labels.matchAll(/(\w+)="(?:[^"\\]|\\.)*"/g))
        expect([...(family?.labels ?? []), 'le'], `${service}: ${figure}`).toContain(label)
    }
    expect(text).toContain(`build_info{service="${service}",release="unreleased",node="${process.version}"} 1`)
    expect(text).not.toMatch(/route="\/(livez|readyz|metrics)"/)
  }
  const figure = (service: string, name: string) =>
    Number(new RegExp(`^${name.replaceAll(/[{}]/g, '\\$&')} (\\S+)$`, 'm').exec(served.get(service) ?? '')?.[1])
  for (const service of measuredServices.filter((name) => name !== 'sandbox-provider')) {
    expect(figure(service, 'nats_up'), service).toBe(1)
    if (service === 'gateway') continue
    expect(figure(service, 'postgres_up'), service).toBe(1)
    expect(figure(service, 'postgres_pool_size{pool="requests"}'), service).toBeGreaterThan(0)
    expect(figure(service, 'postgres_pool_wait_seconds_count{pool="requests"}'), service).toBeGreaterThan(0)
  }
  // The demo before has paid, refunded and delivered.
  expect(figure('webhook-delivery', 'delivery_first_attempt_seconds_count')).toBeGreaterThan(0)
  expect(figure('payments', 'payments_open{status="Created"}')).toBeGreaterThanOrEqual(0)
  expect(figure('payments', 'refunds_open{status="Pending"}')).toBeGreaterThanOrEqual(0)
  const fill = figure('registry', 'events_stream_fill_ratio{stream="EVT_REGISTRY"}')
  expect(fill).toBeGreaterThanOrEqual(0)
  expect(fill).toBeLessThan(0.5)
  expect(served.get('payments')).toMatch(/^provider_calls_per_second_allowed\{provider="Sandbox"\} (\+Inf|[1-9])/m)
}

test('Each service serves the metrics that docs/metrics.md has of it, with their figures', async () => {
  // What one replica reads for all is there once it leads, and has read it.
  await eventually(lookAtMetrics, { within: 40_000, every: 1_000 })
})

test('The demo fails and says why if nothing runs', async () => {
  await expect(demo('/nonexistent')).rejects.toMatchObject({ code: 1, stdout: expect.stringContaining('npm start') })
})

test('The embedded demo serves its page until it is stopped, and cleans up', async () => {
  const env = { ...process.env, FRONTDESK_HOME: system.devStack.home }
  const child = spawn(process.execPath, ['e2e/demo/main.ts', 'embedded'], { env })
  let told = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (told += text))
  const url = await eventually(() => /page, .* is at (http:\S+)/.exec(told)?.[1] ?? Promise.reject(new Error(told)), {
    within: 30_000,
  })
  const page = await (await fetch(url)).text()
  expect(page).toContain(`<script src="${system.devStack.dev.sandbox}/stripe.js"></script>`)
  const ended = once(child, 'exit')
  child.kill('SIGINT')
  expect(await ended).toEqual([0, null])
  expect(told).toContain('The site is deleted')
})

/** Runs a command until it ends; `told` is what it has printed so far. */
function running(command: string, args: string[], home: string) {
  const child = spawn(command, args, { env: { ...process.env, FRONTDESK_HOME: home } })
  const output = { text: '' }
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output.text += text))
  const exited = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>
  return {
    child,
    exited,
    /** Waits for what it prints. */
    told: (pattern: RegExp) =>
      eventually(() => pattern.exec(output.text)?.[1] ?? Promise.reject(new Error(output.text)), { within: 30_000 }),
    output,
  }
}

async function readmeStory(): Promise<string> {
  const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8')
  return /```sh story\n([\s\S]*?)```/.exec(readme)?.[1] ?? ''
}

test('The story of the README waits for the two pages, shows the webhook, and ends with Completed', async () => {
  const story = running('bash', ['-c', await readmeStory()], system.devStack.home)
  const setup = await fetch(await story.told(/finish the onboarding: +(\S+)/))
  const form = new URLSearchParams({ name: 'Smile Dental', confirmed: 'yes', intent: 'complete' })
  await fetch(setup.url, { method: 'POST', body: form, redirect: 'manual' })
  const checkout = await story.told(/and pay: +(\S+)/)
  expect(await (await fetch(checkout)).text()).toContain('£45.00')
  await fetch(`${checkout}/pay`, { method: 'POST', redirect: 'manual' })
  expect(await story.exited).toEqual([0, null])
  const lines = story.output.text.trim().split('\n')
  expect(JSON.parse(lines[2] ?? '')).toMatchObject({ type: 'payment.succeeded', data: { amount: 4_500 } })
  expect(lines.at(-1)).toBe('Completed')
  const inbox = /here, too: +(\S+)/.exec(story.output.text)?.[1] ?? ''
  expect(await (await fetch(inbox)).text()).toContain('Signature valid')
})

test('The story of the README shows a refusal, and stops there', async () => {
  const story = (await readmeStory()).replace('"Currency":"GBP","Address"', '"Currency":"Pounds","Address"')
  const refused = running('bash', ['-c', story], system.devStack.home)
  expect(await refused.exited).toEqual([1, null])
  expect(refused.output.text).toContain('/Currency')
  expect(refused.output.text).not.toContain('undefined')
  expect(refused.output.text).not.toContain('onboarding')
})

test('Each public event can be triggered, and happens as it would in production', async () => {
  await using practice = await openPractice(system, 'Triggered', [...publicWildcards])
  const scene = { ...system, site: practice.slug }
  const made = await Promise.all(
    publicEventTypes.map(async (type) => ({ type, subject: (await triggers[type](scene)).subject })),
  )
  for (const { type, subject } of made) {
    const types = () => practice.subscriber.deliveriesOf(subject).map(({ event }) => event.type)
    await eventually(() => expect(types()).toContain(type), { within: 30_000 })
  }
})

test('npm run trigger names the events if it is asked for another one', async () => {
  const { exited, output } = running(process.execPath, ['e2e/trigger/main.ts', 'payment.paid'], system.devStack.home)
  expect(await exited).toEqual([1, null])
  expect(output.text).toContain('There is no event "payment.paid". Use one of payment.succeeded')
})

test('npm run listen forwards webhooks to a local program, whose refusal brings a retry', async () => {
  await using receiver = await openReceiver()
  const { port } = new URL(receiver.url)
  receiver.reply(() => ({ status: receiver.requests.length === 1 ? 500 : 204 }))
  const args = ['e2e/listen/main.ts', '--port', port, '--path', '/hook']
  const listener = running(process.execPath, args, system.devStack.home)
  await listener.told(/(go to http)/)
  const trigger = running(process.execPath, ['e2e/trigger/main.ts', 'payment.succeeded'], system.devStack.home)
  expect(await trigger.exited).toEqual([0, null])
  expect(trigger.output.text).toContain('payment.succeeded arrived: signature valid, answered 500 by http')
  await listener.told(/payment\.succeeded \S+ -> (500)/)
  await listener.told(/payment\.succeeded \S+ -> (204)/)
  expect(receiver.requests.map(({ path }) => path)).toEqual(['/hook', '/hook'])
  listener.child.kill('SIGINT')
  expect(await listener.exited).toEqual([0, null])
  const inbox = await (await fetch(`${system.devStack.dev.sandbox}/inbox/demo`)).text()
  expect(inbox).toContain('arrived 2 times')
  expect(inbox).toContain('accepted with 204')
})

test('A deleted site is closed in every service, and its open payment is cancelled', async () => {
  const { frontdesk } = system
  await using practice = await openPractice(system)
  const open = await practice.createPayment()
  const paid = await practice.createPayment()
  await system.provider.atCheckout(paid.paymentId, 'pay')
  expect(await practice.outcomeOf(paid.recordId)).toBe('payment.succeeded')

  await frontdesk.sites.delete({ SiteIdentifier: practice.slug })
  const gone = frontdesk.payments.get({ SiteSlug: practice.slug, PaymentIdentifier: paid.recordId })
  await expect(gone).rejects.toMatchObject({ status: 404, code: 'site_not_found' })

  // The subscription still receives the events that the deletion causes.
  expect(await practice.outcomeOf(open.recordId)).toBe('payment.cancelled')
  expect(practice.subscriber.deliveriesOf(open.recordId)[0]?.event.data).toMatchObject({
    cancellationReason: 'site_deleted',
  })
  expect(practice.subscriber.deliveriesOf(paid.recordId)).toHaveLength(1)

  const accounts = system.database('accounts')
  const sql = 'select deleted_at is not null as closed from accounts where site_slug = $1'
  await eventually(async () => expect((await accounts.query(sql, [practice.slug])).rows).toEqual([{ closed: true }]), {
    within: 15_000,
    every: 100,
  })
})

test('The client walks each list of a real gateway page by page and gets every item once', async () => {
  const { frontdesk } = system
  await using practice = await openPractice(system)
  const SiteSlug = practice.slug
  const made: string[] = []
  for (let count = 0; count < 5; count++) made.push((await practice.createPayment()).recordId)
  const payments = await all(frontdesk.payments.list({ SiteSlug, query: { pageSize: 2 } }))
  expect(payments.map(({ RecordId }) => RecordId).toSorted()).toEqual(made.toSorted())

  const { Identity } = await frontdesk.sites.getIdentity({ SiteIdentifier: SiteSlug })
  const OwningOrganisationSlug = Identity.OwningOrganisationSlug
  for (const Name of ['Second', 'Third']) await frontdesk.sites.create({ body: { Name, OwningOrganisationSlug } })
  const query = { OwningOrganisations: [OwningOrganisationSlug], pageSize: 1 }
  const sites = await all(frontdesk.sites.list({ query }))
  expect(sites.map(({ Name }) => Name).toSorted()).toEqual(['Harbour Street Dental', 'Second', 'Third'])

  const sent = [await frontdesk.webhooks.sendTest({ SiteSlug }), await frontdesk.webhooks.sendTest({ SiteSlug })]
  const deliveries = await all(frontdesk.deliveries.list({ SiteSlug, query: { pageSize: 1 } }))
  expect(deliveries.map(({ DeliveryId }) => DeliveryId).toSorted()).toEqual(
    sent.map(({ DeliveryId }) => DeliveryId).toSorted(),
  )
})

async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const found: Item[] = []
  for await (const item of items) found.push(item)
  return found
}

test('Each category of refusals has its own class in the client', async () => {
  const { frontdesk, devStack } = system
  const body = { Name: 'Refusing' }
  const { Identity } = await frontdesk.sites.create({ body })
  const { SiteSlug } = Identity
  const guessed = createClient({ baseUrl: devStack.dev.gateway, credentials: { siteKey: 'guessed' } })
  const PaymentIdentifier = crypto.randomUUID()
  const payment = { PaymentProvider: 'Sandbox' as const, Currency: 'GBP', LineItems: [] }
  await expect(frontdesk.sites.create({ body: { Name: '' } })).rejects.toThrow(MalformedRequestProblem)
  await expect(guessed.accounts.list({ SiteSlug })).rejects.toThrow(UnauthorizedProblem)
  await expect(system.client('reader').sites.create({ body })).rejects.toThrow(ForbiddenProblem)
  await expect(frontdesk.payments.get({ SiteSlug, PaymentIdentifier })).rejects.toThrow(NotFoundProblem)
  await expect(frontdesk.payments.create({ SiteSlug, body: payment })).rejects.toThrow(UnprocessableProblem)
  const other = await frontdesk.sites.create({ body })
  const taken = { SiteIdentifier: SiteSlug, body: { PmsSpecificSiteId: other.Identity.PmsSpecificSiteId } }
  await expect(frontdesk.sites.change(taken)).rejects.toThrow(UserErrorProblem)
})

test('An external event made with the CloudEvents SDK reaches the subscribers of its type once, stamped and signed', async () => {
  const { frontdesk } = system
  await using practice = await openPractice(system)
  await using receiver = await openReceiver()
  await frontdesk.webhooks.subscribe({
    SiteSlug: practice.slug,
    body: { EventTypes: ['com.example.booked'], Url: receiver.url },
  })
  const booked = (id: string, more: object = {}) => {
    const source = 'https://demo.frontdesk.example/appointments'
    const event = new CloudEvent({ id, source, type: 'com.example.booked', visibility: 1, data: { id }, ...more })
    return JSON.parse(String(HTTP.structured(event).body)) as Envelope
  }
  const publish = (body: Envelope | Envelope[]) => frontdesk.events.publish({ SiteSlug: practice.slug, body })

  expect(await publish(booked('a'))).toEqual({ Accepted: 1 })
  expect(await publish([booked('a'), booked('b'), booked('internal', { visibility: 0 })])).toEqual({ Accepted: 3 })
  const forged = publish([booked('c'), booked('d', { type: 'payment.succeeded' })])
  await expect(forged).rejects.toMatchObject({
    status: 422,
    code: 'event_refused',
    problem: { errors: [{ pointer: '/1/type' }] },
  })

  await eventually(() => expect(receiver.requests).toHaveLength(2), { within: 15_000 })
  const events = receiver.requests.map(({ body }) => JSON.parse(body) as Envelope)
  expect(events.map((event) => event.id).toSorted()).toEqual(['a', 'b'])
  expect(events[0]).toMatchObject({ siteslug: practice.slug, product: 'OpenDental', visibility: 1 })
  expect(receiver.requests[0]?.headers['webhook-id']).toMatch(/^[0-9a-f-]{36}$/)
})

test('Nobody but their publishers can tell that a payment succeeded, that an account changed or that a site is deleted', async () => {
  const { administrator } = system.devStack.dev.nats
  const keys = dirname(administrator.NATS_CREDENTIALS_FILE)
  const forged = [
    ['payments', eventSubject('payment.succeeded', 'payments', 's123')],
    ['accounts', eventSubject('account.updated', 'accounts', 's123')],
    ['registry', eventSubject('site.deleted', 'registry', 's123')],
  ] as const
  const nobody = connectNats({ NATS_URL: administrator.NATS_URL }, { reconnect: false })
  await expect(nobody).rejects.toThrow('Authorization Violation')
  for (const user of ['gateway', 'registry', 'accounts', 'payments', 'webhook-delivery', 'provisioner']) {
    const settings = { ...administrator, NATS_CREDENTIALS_FILE: join(keys, `${user}.nk`) }
    await using connection = await connectNats(settings, { inboxPrefix: `_INBOX_${user}` })
    for (const [owner, subject] of forged) {
      if (owner === user) continue
      const reply = connection.request(subject, '{}', { timeout: 2_000 })
      await expect(reply, `${user} on ${subject}`).rejects.toThrow('Permissions Violation for Publish')
    }
  }
})

test('After all of that, NATS has refused no service anything that it needs', async () => {
  for (const [service, { url }] of Object.entries(system.devStack.dev.services)) {
    if (service === 'sandbox-provider') continue
    const reply = await fetch(`${url}/readyz`)
    expect([service, await reply.json()]).toEqual([service, expect.objectContaining({ nats: 'connected' })])
  }
})

test('The log tells of each request and each attempt in one line, and no secret of the system', async () => {
  await using practice = await openPractice(system)
  const { recordId } = await practice.createPayment()
  const lines = () =>
    logged.flatMap((line): Record<string, unknown>[] => {
      const [, part, json] = /^(\S+) (\{.*\})$/.exec(line) ?? []
      const facts = JSON.parse(json ?? '{}') as Record<string, unknown>
      return json === undefined ? [] : [{ ...facts, part }]
    })
  const ofCreate = (part: string) =>
    lines().findLast(
      (line) => line['part'] === part && line['msg'] === 'request' && line['operation'] === 'createPayment',
    )
  const facts = { client: 'client:demo', site: practice.slug, outcome: 'ok', status: 201, ms: expect.any(Number) }
  await eventually(() => {
    const [first, second] = [ofCreate('gateway'), ofCreate('payments')]
    expect(first).toMatchObject({ ...facts, upstreamMs: expect.any(Number), address: '127.0.0.1' })
    expect(second).toMatchObject({ ...facts, requestId: first?.['requestId'], traceId: first?.['traceId'] })
  })
  expect(recordId).toBeTruthy()
  const attempt = lines().findLast((line) => line['msg'] === 'attempt')
  expect(attempt).toMatchObject({
    part: 'webhook-delivery',
    eventId: expect.any(String),
    subscriptionId: expect.any(String),
    attempt: expect.any(Number),
    outcome: expect.any(String),
    ms: expect.any(Number),
  })
  const text = logged.join('\n')
  const found = [...secretsOf(system.devStack.home, [practice])].filter(([secret]) => text.includes(secret))
  expect(found.map(([, name]) => name)).toEqual([])
  // Those of practices that other tests have opened and closed.
  expect(text).not.toMatch(/whsec_[\w+/]{20}|frontdesk_site_\w{20}/)
})
