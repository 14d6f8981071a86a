import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import Stripe from 'stripe'
import { expect, onTestFinished, test } from 'vitest'
import { eventTypes } from './event-types.ts'
import { permissions } from './permissions.ts'

const page = readFileSync(new URL('../../../../docs/stripe.md', import.meta.url), 'utf8')

test.for(Object.entries(eventTypes))(
  'the page lists exactly the events of the endpoint for %s',
  ([receiver, types]) => {
    const block = new RegExp(`\`\`\`text ${receiver}\n([^\`]*)\`\`\``).exec(page)?.[1] ?? ''
    expect(block.trim().split('\n')).toEqual(types)
  },
)

test('the page lists exactly the permissions that the check asks about', () => {
  const rows = permissions.map(
    ({ name, level, connected, for: purpose }) => `| ${name} | ${level} | ${connected ? 'yes' : 'no'} | ${purpose} |`,
  )
  const table = /\| permission \|.*\n\|.*\n((?:\|.*\n)*)/.exec(page)?.[1] ?? ''
  expect(table.trim().split('\n')).toEqual(rows)
})

test('every API version on the page is the one that we speak', () => {
  const versions = [...page.matchAll(/\d{4}-\d{2}-\d{2}\.[a-z]+/g)].map(([version]) => version)
  expect(new Set(versions)).toEqual(new Set([Stripe.API_VERSION]))
})

test.for(Object.entries(eventTypes))('the command of the page makes the endpoint for %s', async ([receiver, types]) => {
  const asked = Promise.withResolvers<{ form: URLSearchParams; authorization: string | undefined }>()
  async function hear(request: IncomingMessage): Promise<void> {
    asked.resolve({ form: new URLSearchParams(await text(request)), authorization: request.headers.authorization })
  }
  const stripe = createServer((request, response) => void hear(request).finally(() => response.end('{}')))
  onTestFinished(() => void stripe.close())
  await new Promise<void>((listening) => stripe.listen(0, '127.0.0.1', listening))
  const { port } = stripe.address() as AddressInfo

  const command = /```sh endpoints\n([^]*?)```/.exec(page)?.[1] ?? ''
  const script = command.replace('https://api.stripe.com/', `http://127.0.0.1:${port}/`)
  const call = `make ${receiver} <(printf '%s\\n' ${types.join(' ')})`
  await promisify(execFile)('bash', ['-euc', `STRIPE_SECRET_KEY=sk_test_page\n${script}\n${call}`])
  const { form, authorization } = await asked.promise
  expect(form.getAll('enabled_events[]')).toEqual(types)
  expect([form.get('connect'), form.get('api_version')]).toEqual(['true', Stripe.API_VERSION])
  expect(form.get('url')).toBe(`https://YOUR-GATEWAY/providers/stripe/webhooks/${receiver}`)
  expect(authorization).toBe(`Basic ${Buffer.from('sk_test_page:').toString('base64')}`)
})
