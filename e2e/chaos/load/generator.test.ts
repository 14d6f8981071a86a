import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { eventually } from '@frontdesk/testing/eventually'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { seededRandom } from '../../system/random.ts'
import { openProvider } from '../../system/provider.ts'
import { startLoad } from './generator.ts'
import { openHttpClient } from './http.ts'

/** The answers of a gateway; each request takes the first answer that is left, and then 201. */
let answers: number[] = []
let requests: { line: string; key: string | undefined }[] = []
const server = createServer((request, response) => {
  const key = request.headers['idempotency-key']
  requests.push({
    line: `${request.method} ${request.url}`,
    ...(typeof key === 'string' ? { key } : { key: undefined }),
  })
  const status = answers.shift() ?? 201
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(
    JSON.stringify({ RecordId: 'P1', PaymentId: '', code: status === 409 ? 'idempotency_key_in_use' : 'other' }),
  )
})
let baseUrl = ''
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => void server.close())

/** Sends at least `count` requests. Returns the log. */
async function load(seed: number, count: number) {
  requests = []
  await using http = openHttpClient(baseUrl, () => 'token')
  const sites = () => [
    { slug: 's001', url: 'http://one' },
    { slug: 's002', url: 'http://two' },
  ]
  const running = startLoad({
    http,
    provider: openProvider(undefined),
    sites,
    rate: 400,
    random: seededRandom(seed),
    prefix: 'T',
  })
  await eventually(() => expect(requests.length).toBeGreaterThanOrEqual(count), { within: 20_000 })
  await running.stop(300)
  return running.log
}

test('The same seed gives the same creates in the same order, and another seed gives others', async () => {
  // In the order in which they were issued: over many connections they may arrive in another.
  const creates = async (seed: number) =>
    (await load(seed, 80)).creates.slice(0, 30).map(({ kind, name, site, keyed }) => ({ kind, name, site, keyed }))
  const first = await creates(1)
  expect(await creates(1)).toEqual(first)
  expect(await creates(2)).not.toEqual(first)
})

test('A keyed create is sent again after 503, 429 and a key in use, an unkeyed one never; other refusals are logged', async () => {
  answers = [503, 429, 409, 422]
  const log = await load(3, 40)
  const keys = requests.flatMap(({ key }) => (key === undefined ? [] : [key]))
  expect(log.failures.length + log.refusals.length).toBe(4)
  expect(keys.length - new Set(keys).size).toBe(log.failures.filter(({ keyed }) => keyed).length)
  expect(log.refusals).toHaveLength(1)
})
