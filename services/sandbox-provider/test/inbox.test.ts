import { generateKeyPairSync, randomUUID, sign } from 'node:crypto'
import { openReceiver } from '@frontdesk/testing'
import { expectUsable, focusOrder, keepScreenshot, openPage, resize } from '@frontdesk/testing/browser-page'
import { findChromium, launchChromium } from '@frontdesk/testing/chromium'
import type { Browser } from 'playwright-core'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runSandbox, type RunningSandbox } from './running-sandbox.ts'

const secret = `whsec_${Buffer.from('the secret of a subscription').toString('base64')}`
const executable = findChromium()

let sandbox: RunningSandbox

beforeAll(async () => {
  sandbox = await runSandbox()
})
afterAll(() => sandbox?.[Symbol.asyncDispose]())

interface Kept {
  webhooks: {
    number: number
    webhookId?: string
    type?: string
    subject?: string
    signature: string
    answer: number
    answeredBy: string
    error?: string
    headers: Record<string, string>
    body: string
  }[]
}

const event = (more: object = {}) =>
  JSON.stringify({
    specversion: '1.0',
    id: 'e1',
    type: 'payment.succeeded',
    subject: 'p1',
    data: { amount: 4500 },
    ...more,
  })

/** Sends a webhook as Frontdesk does; returns the status of the answer. */
async function deliver(inbox: string, webhook: { id?: string; body?: string; at?: Date; more?: object } = {}) {
  const { id = randomUUID(), body = event(), at = new Date(), more = {} } = webhook
  const headers = {
    'content-type': 'application/cloudevents+json; charset=utf-8',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign(id, at, body),
    ...more,
  }
  return (await fetch(`${sandbox.url}/inbox/${inbox}`, { method: 'POST', headers, body })).status
}

const post = (path: string, form: Record<string, string>, headers: Record<string, string> = {}) =>
  fetch(`${sandbox.url}/inbox/${path}`, {
    method: 'POST',
    body: new URLSearchParams(form),
    headers,
    redirect: 'manual',
  })

async function kept(inbox: string, query = ''): Promise<Kept['webhooks']> {
  const reply = await fetch(`${sandbox.url}/inbox/${inbox}/webhooks${query}`)
  return ((await reply.json()) as Kept).webhooks
}

const pageOf = async (inbox: string) => (await fetch(`${sandbox.url}/inbox/${inbox}`)).text()

test('An inbox keeps a webhook byte by byte, and checks its signature as soon as it knows the secret', async () => {
  const body = event({ data: { name: 'Zoë <b>' } })
  expect(await deliver('kept', { id: 'w1', body, more: { 'x-practice': 'harbour' } })).toBe(204)
  expect(await kept('kept')).toMatchObject([
    { webhookId: 'w1', type: 'payment.succeeded', subject: 'p1', signature: 'unchecked', answer: 204, body },
  ])
  expect((await kept('kept'))[0]?.headers['x-practice']).toBe('harbour')

  expect((await post('kept/secrets', { secret })).status).toBe(303)
  await deliver('kept', { id: 'w2', at: new Date(Date.now() - 6 * 60_000) })
  await deliver('kept', { id: 'w3', more: { 'webhook-signature': 'v1,AAAA' } })
  await deliver('kept', { id: 'w4', more: { 'webhook-signature': '' } })
  expect((await kept('kept')).map(({ signature }) => signature)).toEqual(['unsigned', 'invalid', 'too old', 'valid'])
  const page = await pageOf('kept')
  expect(page).toContain('Zoë &lt;b&gt;')
  expect(page).not.toContain(secret)
})

test('A public key checks an asymmetric signature', async () => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const x = Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url').toString('base64')
  const at = new Date()
  const text = `w1.${Math.floor(at.getTime() / 1000)}.${event()}`
  const signature = `v1a,${sign(null, Buffer.from(text), privateKey).toString('base64')}`
  await deliver('asymmetric', { id: 'w1', at, more: { 'webhook-signature': signature } })
  await post('asymmetric/secrets', { secret })
  expect((await kept('asymmetric'))[0]?.signature).toBe('invalid')
  await post('asymmetric/secrets', { secret: `whpk_${x}` })
  expect((await kept('asymmetric'))[0]?.signature).toBe('valid')
})

test('An inbox that is told to refuses the next webhook, and shows the retry as an attempt of the same webhook', async () => {
  await post('refusing/refusals', { next: '1' })
  expect(await deliver('refusing', { id: 'again' })).toBe(503)
  expect(await deliver('refusing', { id: 'again' })).toBe(204)
  expect(await deliver('refusing', { id: 'other', body: event({ type: 'refund.failed', subject: 'p2' }) })).toBe(204)
  expect(await kept('refusing', '?type=refund.failed&subject=p2')).toHaveLength(1)
  const page = await pageOf('refusing')
  expect(page).toContain('arrived 2 times')
  expect(page.match(/<h2>payment.succeeded<\/h2>/g)).toHaveLength(1)
  await post('refusing/clear', {})
  expect(await kept('refusing')).toEqual([])
})

test('A listener gets the same bytes and headers, and its answer is the answer to Frontdesk', async () => {
  await using receiver = await openReceiver()
  receiver.reply(() => ({ status: 422 }))
  const url = `${receiver.url}/hook`
  expect((await post('heard/listener', { url })).status).toBe(204)
  expect(await deliver('heard', { id: 'w1' })).toBe(422)
  const [forwarded] = receiver.requests
  expect(forwarded?.path).toBe('/hook')
  expect(new Webhook(secret).verify(forwarded?.body ?? '', forwarded?.headers as Record<string, string>)).toMatchObject(
    {
      type: 'payment.succeeded',
    },
  )
  expect(await pageOf('heard')).toContain(`forwarded to <code>${url}</code>`)

  await receiver[Symbol.asyncDispose]()
  expect(await deliver('heard', { id: 'w2' })).toBe(502)
  expect((await kept('heard'))[0]).toMatchObject({ answeredBy: url, error: expect.stringContaining('ECONNREFUSED') })
  await fetch(`${sandbox.url}/inbox/heard/listener`, { method: 'DELETE' })
  expect(await deliver('heard', { id: 'w2' })).toBe(204)
})

test('Only an address on this machine can listen, and no page of another site can change an inbox', async () => {
  for (const url of [
    'http://example.com:80/',
    'https://127.0.0.1:9/',
    'http://127.0.0.1/',
    'http://a:b@127.0.0.1:9/',
    'x',
  ])
    expect([url, (await post('guarded/listener', { url })).status]).toEqual([url, 400])
  expect((await post('guarded/secrets', { secret: 'whsec_short' })).status).toBe(400)
  expect((await post('guarded/clear', {}, { origin: 'https://elsewhere.example' })).status).toBe(403)
  expect((await fetch(`${sandbox.url}/inbox/no%20inbox`)).status).toBe(400)
})

test('An inbox keeps its newest 200 requests', async () => {
  for (let sent = 0; sent < 205; sent += 5)
    await Promise.all([1, 2, 3, 4, 5].map((more) => deliver('bounded', { id: `w${sent + more}` })))
  const ids = (await kept('bounded')).map(({ webhookId }) => webhookId)
  expect(ids).toHaveLength(200)
  expect(ids).not.toContain('w1')
  expect(ids).toContain('w205')
})

describe.skipIf(executable === undefined)('in Chromium', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await launchChromium(executable ?? '')
  })
  afterAll(() => browser?.close())

  test.each([390, 1280])(
    'a person sees a webhook arrive without a reload, and reads it, at %d pixels',
    { timeout: 120_000 },
    async (width) => {
      const inbox = `seen-${width}`
      const { page, complaints } = await openPage(browser, width, { scripts: true })
      await page.goto(`${sandbox.url}/inbox/${inbox}`)
      expect(await page.getByText('Nothing has arrived yet').count()).toBe(1)
      await expectUsable(page)

      await deliver(inbox)
      await page.getByRole('heading', { name: 'payment.succeeded' }).waitFor()
      await page.getByLabel('Signing secret').fill(secret)
      await page.getByRole('button', { name: 'Check signatures with it' }).click()
      await page.getByText('Signature valid').waitFor()
      await page.getByText('Payload of').click()
      expect(await page.locator('pre[aria-label=Payload]').textContent()).toContain('"amount": 4500')
      // An opened part stays open, and keeps the focus, when the next one arrives.
      await deliver(inbox, { body: event({ type: 'refund.failed', subject: 'p2' }) })
      await page.getByRole('heading', { name: 'refund.failed' }).waitFor()
      expect(await page.locator('pre[aria-label=Payload]').first().textContent()).toContain('refund.failed')
      expect(await page.getByText('"amount": 4500').last().isVisible()).toBe(true)
      expect(await page.locator('summary:focus').textContent()).toBe('Payload of payment.succeeded')
      await keepScreenshot(page, `inbox-${width}`)
      await page.getByText('Check signatures, refuse').click()
      await expectUsable(page)
      expect(await focusOrder(page)).toContain('Refuse the next webhook, to see it come again')
      expect(complaints).toEqual([])
      await page.context().close()
    },
  )

  test('every state of an inbox is usable, on a light phone and on a dark desk', { timeout: 120_000 }, async () => {
    const { page } = await openPage(browser, 390)
    const seen = async (name: string, path: string, text: string) => {
      await page.goto(`${sandbox.url}/inbox${path}`)
      expect(await page.locator('main').textContent()).toContain(text)
      // Opened, since what a part hides would not be looked at.
      await page.evaluate("document.querySelectorAll('details').forEach((part) => { part.open = true })")
      for (const width of [390, 1280]) {
        await resize(page, width)
        await expectUsable(page)
        await keepScreenshot(page, `inbox-${name}-${width}`)
      }
    }
    const list = await (await fetch(`${sandbox.url}/inbox`)).text()
    for (const [, inbox] of list.matchAll(/href="\/inbox\/([^"]+)"/g)) await post(`${inbox}/clear`, {})
    await seen('none', '', 'Nothing has arrived yet')
    await post('states/refusals', { next: '2' })
    await seen('refusing', '/states', 'The next 2 will be refused with 503.')

    const at = new Date(Date.now() - 6 * 60_000)
    for (const webhook of [
      { id: 'retried' },
      { id: 'retried' },
      { id: 'retried' },
      { id: 'forged', more: { 'webhook-signature': 'v1,AAAA' } },
      { id: 'old', at },
      { body: `no event: ${'unbroken'.repeat(80)}`, more: { 'webhook-signature': '', 'x-long': 'y'.repeat(400) } },
    ])
      await deliver('states', webhook)
    await seen('unchecked', '/states', 'arrived 3 times')
    await post('states/secrets', { secret })
    await using receiver = await openReceiver()
    await post('states/listener', { url: `${receiver.url}/a/receiver/on/this/machine` })
    await deliver('states')
    await seen('checked', '/states', 'Signature too old')
    await seen('one', '', 'states: 7 requests')

    await page.getByRole('link', { name: 'states' }).click()
    await page.getByText('Check signatures, refuse').click()
    await page.getByLabel('Signing secret').fill('not a secret')
    await page.getByRole('button', { name: 'Check signatures with it' }).click()
    expect(await page.locator('input:invalid').count()).toBe(1)
    await page.context().close()
  })
})
