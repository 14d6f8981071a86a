import { readFileSync, writeFileSync } from 'node:fs'
import { consumers } from '@frontdesk/contracts'
import { saveDeadLetter } from '@frontdesk/events'
import { runCommand } from '@frontdesk/operate/testing'
import { eventually, openReceiver } from '@frontdesk/testing'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { program } from '../src/commands.ts'
import { openDeliveryFixture, type DeliveryFixture } from './delivery-fixture.ts'

let fixture: DeliveryFixture
beforeAll(async () => {
  fixture = await openDeliveryFixture()
})
afterAll(() => fixture[Symbol.asyncDispose]())

const run = (args: string[], env: object = {}) => runCommand(program, args, { ...fixture.env, ...env })

const isStored = async (eventId: string) =>
  (await fixture.pool.query('select 1 from delivery.events where event_id = $1', [eventId])).rowCount === 1

test('An event that the stream has and a restored database does not is taken in and delivered', async () => {
  await using receiver = await openReceiver()
  const caller = fixture.caller()
  await caller.subscribe(receiver.url)
  const events = [await fixture.publish(caller.site), await fixture.publish(caller.site)]
  await eventually(() => expect(receiver.requests).toHaveLength(2))
  const [lost] = events
  for (const table of ['attempts', 'deliveries', 'events']) {
    await fixture.pool.query(`delete from delivery.${table} where event_id = $1`, [lost?.id])
  }

  const planned = await run(['reconcile', 'deliveries', '--dry-run'])
  expect(planned).toMatchObject({ code: 0, text: expect.stringContaining(`missing: ${lost?.id}`) })
  expect(await isStored(lost?.id ?? '')).toBe(false)
  expect((await run(['reconcile', 'deliveries', '--since', '1m'])).text).toMatch(/taken in 1$/)
  await eventually(() => expect(receiver.requests).toHaveLength(3), { within: 20_000 })
  expect(receiver.requests[2]?.headers['webhook-id']).toBe(lost?.id)
  const again = await run(['reconcile', 'deliveries'])
  expect(again).toMatchObject({ code: 0, text: expect.stringContaining('events 2, taken in 0') })
  const manager = await fixture.js.jetstreamManager()
  const names = (await manager.consumers.list('EVT_PAYMENTS').next()).map(({ name }) => name)
  expect(names).toEqual([consumers.deliveryPayments.name])
})

test('An event that is stored and that the stream does not have is published again under its own id, and not delivered again', async () => {
  await using receiver = await openReceiver()
  const caller = fixture.caller()
  await caller.subscribe(receiver.url)
  const kept = await fixture.publish(caller.site)
  await eventually(() => expect(receiver.requests).toHaveLength(1))
  const lost = uuidv7()
  const payload = Buffer.from(kept.payload.toString().replace(kept.id, lost))
  await fixture.pool.query(
    `insert into delivery.events (event_id, type, site_slug, rank, payload) values ($1, 'payment.succeeded', $2, 0, $3)`,
    [lost, caller.site.slug, payload],
  )
  const manager = await fixture.js.jetstreamManager()
  const newest = async () => (await manager.streams.info('EVT_PAYMENTS')).state.last_seq
  const seq = await newest()

  const planned = await run(['reconcile', 'streams', '--since', '1m', '--dry-run'])
  expect(planned).toMatchObject({ code: 0, text: expect.stringContaining(`lost: ${lost}`) })
  expect(planned.text).not.toContain(kept.id)
  expect(await newest()).toBe(seq)
  const publishing = ['reconcile', 'streams', '--since', '1m']
  expect(await run(publishing)).toMatchObject({ code: 1, text: expect.stringContaining('key of the administrator') })
  expect(await newest()).toBe(seq)
  expect((await run(publishing, fixture.nats.settings('administrator'))).text).toMatch(/published 1$/)
  const published = await manager.streams.getMessage('EVT_PAYMENTS', { seq: seq + 1 })
  expect(published).toMatchObject({ subject: kept.subject, data: new Uint8Array(payload) })
  expect(published?.header.get('Nats-Msg-Id')).toBe(lost)
  expect((await run(['reconcile', 'streams', '--since', '1m'])).text).toMatch(/published 0$/)
  // The service has read it, and found it stored.
  await eventually(async () => {
    const { num_pending, ack_floor } = await manager.consumers.info('EVT_PAYMENTS', consumers.deliveryPayments.name)
    expect([num_pending, ack_floor.stream_seq]).toEqual([0, seq + 1])
  })
  expect(receiver.requests).toHaveLength(1)
})

test('A dead letter is stored with its deliveries, which the running service sends; no event stays one', async () => {
  await using receiver = await openReceiver()
  const caller = fixture.caller()
  await caller.subscribe(receiver.url)
  const eventId = uuidv7()
  const envelope = {
    specversion: '1.0',
    id: eventId,
    source: 'https://frontdesk.example/payments',
    type: 'payment.succeeded',
    siteslug: caller.site.slug,
    visibility: 1,
  }
  const letter = {
    consumer: consumers.deliveryPayments.name,
    stream: 'EVT_PAYMENTS',
    streamSeq: 9,
    messageId: eventId,
    subject: `evt.pub.payments.payment.succeeded.v1.${caller.site.slug}`,
    headers: {},
    payload: Buffer.from(JSON.stringify(envelope)),
    reason: 'for this test',
    deliveries: 10,
    storedAt: new Date(),
  }
  await saveDeadLetter(fixture.pool, letter)
  await saveDeadLetter(fixture.pool, { ...letter, messageId: 'bad', payload: Buffer.from('nonsense') })

  expect((await run(['dead-letters', 'replay', '--all', '--dry-run'])).text).toContain('to be replayed 2')
  expect(await isStored(eventId)).toBe(false)
  const done = await run(['dead-letters', 'replay', '--all'])
  expect(done).toMatchObject({ code: 1, text: expect.stringMatching(/failed: not JSON[^]*replayed 1, failed 1/) })
  await eventually(() => expect(receiver.requests).toHaveLength(1), { within: 20_000 })
  expect(receiver.requests[0]).toMatchObject({ body: JSON.stringify(envelope) })
  expect((await run(['dead-letters', 'replay', '--all'])).text).toContain('failed 1')
})

test('After a new master key, encrypt again renews every secret, and the older key is not needed', async () => {
  await using receiver = await openReceiver()
  const caller = fixture.caller()
  await caller.subscribe(receiver.url, { Headers: [{ Name: 'X-Key', Value: 'k 1' }] })
  await caller.call('rotateSigningSecret', { key: uuidv7() })
  const file = fixture.env['ENCRYPTION_KEYS_FILE'] ?? ''
  const { keys } = JSON.parse(readFileSync(file, 'utf8')) as { keys: Record<string, string> }
  const k2 = Buffer.alloc(32, 2).toString('base64')
  writeFileSync(`${file}.both`, JSON.stringify({ current: 'k2', keys: { k2, ...keys } }))
  writeFileSync(`${file}.alone`, JSON.stringify({ current: 'k2', keys: { k2 } }))
  await fixture.stopFirst()

  const env = { ENCRYPTION_KEYS_FILE: `${file}.both` }
  expect((await run(['encrypt', 'again', '--dry-run'], env)).text).toMatch(/older key k1: [1-9]/)
  expect(await run(['encrypt', 'again'], env)).toMatchObject({
    code: 0,
    text: expect.stringContaining('you may remove'),
  })
  expect((await run(['encrypt', 'again'], env)).text).toContain('encrypted again 0')

  await fixture.restart({ ENCRYPTION_KEYS_FILE: `${file}.alone` })
  await fixture.publish(caller.site)
  await eventually(() => expect(receiver.requests).toHaveLength(1))
  expect(receiver.requests[0]?.headers).toMatchObject({
    'x-key': 'k 1',
    'webhook-signature': expect.stringMatching(/v1,.* v1,/),
  })
})
