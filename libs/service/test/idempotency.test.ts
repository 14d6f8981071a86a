import { openPool, type Pool } from '@frontdesk/database'
import { eventually, throwAwayDatabase, type ThrowAwayDatabase } from '@frontdesk/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  claimKey,
  fingerprintOf,
  parseIdempotencyKey,
  releaseKey,
  runOnce,
  settleKey,
  suspendKey,
  type IdempotentRequest,
} from '../src/idempotency/index.ts'
import { createKeyRing } from '../src/encryption/index.ts'

const ring = createKeyRing('k', new Map([['k', Buffer.alloc(32, 3)]]))
let database: ThrowAwayDatabase
let pool: Pool

beforeAll(async () => {
  database = await throwAwayDatabase('accounts')
  pool = openPool({ url: database.url, name: 'idempotency test' })
})
afterAll(async () => {
  await pool.end()
  await database[Symbol.asyncDispose]()
})

let keys = 0
const request = (over: Partial<IdempotentRequest> = {}): IdempotentRequest => ({
  client: 'client:demo',
  operation: 'createPayment',
  path: '/api/v1/sites/sAbc1/payments',
  key: `key ${++keys}`,
  fingerprint: fingerprintOf({ Name: 'x' }, []),
  ...over,
})

test('One of several simultaneous first requests runs, and the others are told to retry', async () => {
  const one = request()
  const claims = await Promise.allSettled(Array.from({ length: 10 }, () => claimKey(pool, ring, one)))
  expect(claims.filter((claim) => claim.status === 'fulfilled')).toHaveLength(1)
  for (const claim of claims) {
    if (claim.status === 'rejected')
      expect(claim.reason).toMatchObject({ code: 'idempotency_key_in_use', options: { retryAfter: 1 } })
  }
})

test('A settled request replays its reply, which is stored encrypted', async () => {
  const one = request()
  await claimKey(pool, ring, one)
  await settleKey(pool, ring, one, { status: 201, headers: { 'x-y': 'z' }, body: { PrimaryKey: 'very secret' } })
  expect(await claimKey(pool, ring, one)).toEqual({
    run: false,
    reply: { status: 201, headers: { 'x-y': 'z' }, body: { PrimaryKey: 'very secret' } },
  })
  const { rows } = await pool.query('select body from idempotency_keys where key = $1', [one.key])
  expect(rows[0].body).not.toContain('secret')
})

test('A reply is stored beside its claim, so that no index gets a second entry', async () => {
  const { rows: before } = await pool.query(changes)
  const requests = Array.from({ length: 60 }, () => request())
  for (const one of requests) await claimKey(pool, ring, one)
  for (const one of requests) {
    await settleKey(pool, ring, one, { status: 201, headers: {}, body: { CheckoutUrl: 'x'.repeat(900) } })
  }
  await eventually(async () => {
    const { rows: after } = await pool.query(changes)
    expect(after[0].all - before[0].all).toBeGreaterThanOrEqual(60)
    expect(after[0].hot - before[0].hot).toBeGreaterThan(50)
  })
})

// The pool's sessions report what they have counted within a second of their last statement.
const changes = `select n_tup_upd::int as all, n_tup_hot_upd::int as hot
                   from pg_stat_user_tables where relname = 'idempotency_keys'`

test('The same key with another body is refused, before and after the first request has ended', async () => {
  const one = request()
  const other = { ...one, fingerprint: fingerprintOf({ Name: 'y' }, []) }
  await claimKey(pool, ring, one)
  await expect(claimKey(pool, ring, other)).rejects.toMatchObject({ code: 'idempotency_key_reused' })
  await settleKey(pool, ring, one, { status: 201, headers: {}, body: {} })
  await expect(claimKey(pool, ring, other)).rejects.toMatchObject({ code: 'idempotency_key_reused' })
})

test('Keys are separate for each client, path and operation', async () => {
  const one = request()
  await claimKey(pool, ring, one)
  for (const other of [
    { client: 'client:multi' },
    { path: '/api/v1/sites/sXyz9/payments' },
    { operation: 'createSite' },
  ]) {
    expect(await claimKey(pool, ring, { ...one, ...other })).toMatchObject({ run: true })
  }
})

test('A request that ended in a 5xx, or whose process died, resumes for the same resource', async () => {
  const one = request()
  const first = await claimKey(pool, ring, one)
  await suspendKey(pool, one)
  expect(await claimKey(pool, ring, one)).toEqual(first)
  await pool.query(`update idempotency_keys set lease_until = now() - interval '1 second' where key = $1`, [one.key])
  expect(await claimKey(pool, ring, one)).toEqual(first)
})

test('A refusal without effect frees the key, and an expired key is new', async () => {
  const one = request()
  const first = await claimKey(pool, ring, one)
  await releaseKey(pool, one)
  const second = await claimKey(pool, ring, one)
  expect(second).not.toEqual(first)
  await settleKey(pool, ring, one, { status: 201, headers: {}, body: {} })
  await pool.query(`update idempotency_keys set expires_at = now() - interval '1 second' where key = $1`, [one.key])
  const third = await claimKey(pool, ring, { ...one, fingerprint: fingerprintOf({ Name: 'another' }, []) })
  expect(third).toMatchObject({ run: true })
  expect(third).not.toEqual(second)
})

test('The order of members does not change the fingerprint, a steering header does', () => {
  expect(fingerprintOf({ a: 1, b: { c: 2, d: 3 } }, [])).toEqual(fingerprintOf({ b: { d: 3, c: 2 }, a: 1 }, []))
  expect(fingerprintOf({}, ['Dentally'])).not.toEqual(fingerprintOf({}, ['']))
})

test('A key is bare or quoted, and anything else is malformed', () => {
  expect(parseIdempotencyKey('abc-1')).toBe('abc-1')
  expect(parseIdempotencyKey('"abc \\" 1"')).toBe('abc " 1')
  for (const bad of ['', 'x'.repeat(256), 'ümlaut', '""']) expect(() => parseIdempotencyKey(bad)).toThrow()
})

test('A request under the same key with another query is the same request', async () => {
  let runs = 0
  const send = (url: string) =>
    runOnce(
      { client: 'client:demo', operation: 'createPayment', url, key: 'one', body: {}, steering: [], traceId: 't' },
      { pool, ring, isReplayable: () => true, run: async () => ({ status: 201, body: { Run: ++runs } }) },
    )
  const first = await send('/api/v1/sites/sAbc1/payments')
  for (const query of ['?x=1', '?x=2', '?']) {
    const again = await send(`/api/v1/sites/sAbc1/payments${query}`)
    expect(again).toMatchObject({ body: first.body, headers: { 'idempotency-replayed': 'true' } })
  }
  expect(runs).toBe(1)
})
