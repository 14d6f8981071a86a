import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { openReceiver, type ReceivedRequest, type ReceiverReply } from '@frontdesk/testing'
import { expect } from 'vitest'

const run = promisify(execFile)
const now = { 'retry-after': '0' }

function json(status: number, body: unknown, headers: Record<string, string> = {}): ReceiverReply {
  return { status, headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) }
}

function problem(status: number, code: string, headers: Record<string, string> = now): ReceiverReply {
  return json(status, { type: `/docs/errors#${code}`, title: code, status, code }, headers)
}

const token = json(200, { access_token: 't', token_type: 'Bearer', expires_in: 900 })
const accepted = json(202, { DeliveryId: '019aa5c3-02aa-7b31-b0de-5f9d1c2e7a10' })
const refused = problem(403, 'forbidden')

/** What the server answers, in order, and what the caller in `retries.py` gets. */
const cases: { name: string; answers: ReceiverReply[]; gets: unknown }[] = [
  {
    name: 'a token endpoint and an operation that are busy',
    answers: [problem(503, 'overloaded'), token, problem(503, 'service_unavailable'), accepted],
    gets: 'accepted',
  },
  {
    name: 'everything that passes',
    answers: ['drop', { status: 502, body: '<h1>Bad Gateway</h1>' }, problem(409, 'idempotency_key_in_use'), accepted],
    gets: 'accepted',
  },
  { name: 'the caller’s key', answers: [problem(429, 'rate_limited'), accepted], gets: 'accepted' },
  { name: 'async', answers: [token, 'drop', problem(504, 'deadline_exceeded'), accepted], gets: 'accepted' },
  { name: 'a refusal', answers: [problem(409, 'another_conflict')], gets: 'another_conflict' },
  { name: 'a long wait', answers: [problem(429, 'rate_limited', { 'retry-after': '60' })], gets: 'rate_limited' },
  {
    name: 'two tries',
    answers: [token, problem(503, 'overloaded'), problem(503, 'provider_unavailable')],
    gets: 'provider_unavailable',
  },
  { name: 'nobody answers', answers: ['drop', 'drop'], gets: 'no answer' },
]

/** Plays the retries and the lists of the packed Python client against a server that is often busy. */
export async function expectRetriesOf(python: string): Promise<void> {
  const document = await readFile(join(import.meta.dirname, '../../docs/contracts/openapi.json'), 'utf8')
  const { example } = JSON.parse(document).paths['/api/v1/sites'].get.responses['200'].content['application/json']
  const page = (slug: string, NextPageToken?: string) =>
    json(200, { Items: [{ ...example.Items[0], SiteSlug: slug }], NextPageToken })
  const lists: ReceiverReply[][] = [
    [page('one', 'second'), problem(503, 'overloaded'), page('two')],
    [page('one', 'second'), page('two')],
    [page('one', 'second'), refused],
  ]
  const replies = [...cases.map(({ answers }) => answers), ...lists].flat()

  await using server = await openReceiver()
  server.reply(() => replies.shift() ?? { status: 404 })
  const program = join(import.meta.dirname, 'retries.py')
  const { stdout } = await run(python, ['-W', 'error', program, server.url])
  const { got, ...listed } = JSON.parse(stdout) as { got: unknown[] }
  expect(got).toEqual(cases.map(({ gets }) => gets))
  expect(listed).toEqual({
    listed: ['one', 'two'],
    async_listed: ['one', 'two'],
    refused: ['one', '403 forbidden: forbidden'],
  })
  expect(replies).toEqual([])

  const isPost = ({ method, path }: ReceivedRequest) => method === 'POST' && path !== '/oauth2/token'
  const keys = server.requests.filter(isPost).map(({ headers }) => headers['idempotency-key'])
  const runs = keys.filter((key, at) => key !== keys[at - 1])
  // One key for each call, which its tries share.
  expect(runs).toHaveLength(cases.length)
  expect(new Set(runs).size).toBe(cases.length)
  expect(runs[2]).toBe('order-4711')
  expect(runs.filter((key) => /^[0-9a-f-]{36}$/.test(String(key)))).toHaveLength(cases.length - 1)
  const gets = server.requests.filter(({ method }) => method === 'GET')
  expect(gets.filter(({ headers }) => 'idempotency-key' in headers)).toEqual([])
  expect(gets.map(({ path }) => new URL(path, server.url).searchParams.get('nextPageToken'))).toEqual(
    [
      [null, 'second', 'second'],
      [null, 'second'],
      [null, 'second'],
    ].flat(),
  )
  expect(gets.every(({ path }) => new URL(path, server.url).searchParams.get('pageSize') === '1')).toBe(true)
}
