import { spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import process from 'node:process'
import { eventually } from '@frontdesk/testing/eventually'
import { openReceiver } from '@frontdesk/testing/receiver'
import { throwAwayFolder } from '@frontdesk/testing/throw-away-folder'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startSystem, type StartedSystem } from './system/start-system.ts'

const examples = join(import.meta.dirname, '../docs/examples')

let system: StartedSystem
beforeAll(async () => {
  system = await startSystem()
})
afterAll(() => system?.[Symbol.asyncDispose]())

test('quick-start.sh, with the variables of setting-up.sh, goes from a token to a refund', async () => {
  await using folder = await throwAwayFolder()
  await using receiver = await openReceiver()
  const { gateway, clients } = system.devStack.dev
  const names = (await readFile(join(examples, 'setting-up.sh'), 'utf8')).match(/(?<=^export )\w+/gm)
  const values = [gateway, 'demo', clients.find(({ id }) => id === 'demo')?.secret ?? '', receiver.url]
  const env = { ...process.env, ...Object.fromEntries((names ?? []).map((name, index) => [name, values[index] ?? ''])) }
  const shell = spawn('bash', [join(examples, 'quick-start.sh')], { cwd: folder.path, env })
  const ended = new Promise((done) => shell.once('close', done))
  let told = ''
  for (const stream of [shell.stdout, shell.stderr]) stream.setEncoding('utf8').on('data', (text) => (told += text))
  const line = (start: string) =>
    eventually(() => new RegExp(`^${start} (.*)$`, 'm').exec(told)?.[1] ?? Promise.reject(new Error(told)), {
      within: 60_000,
      every: 50,
    })

  // The reader does this in a browser.
  const SiteSlug = await line('site')
  await line('onboard at')
  const [account] = await system.frontdesk.accounts.list({ SiteSlug })
  await system.provider.control(`accounts/${account?.externalAccountId}/complete`)
  expect(await line('secret')).toMatch(/^whsec_/)
  await line('pay at')
  const { Items } = await system.frontdesk.payments.list({ SiteSlug })
  await system.provider.atCheckout(Items[0]?.PaymentId ?? '', 'pay')

  expect(await line('paid')).toBe(Items[0]?.RecordId)
  expect(await line('refund')).toMatch(/^(Pending|Succeeded)$/)
  expect(await ended).toBe(0)
  const printed = JSON.parse(await readFile(join(examples, 'refund.json'), 'utf8')) as object
  const returned = JSON.parse(await readFile(join(folder.path, 'refund.json'), 'utf8')) as object
  expect(Object.keys(returned).toSorted()).toEqual(Object.keys(printed).toSorted())
  expect(returned).toMatchObject({ Amount: 1500, Currency: 'GBP', Reason: 'goodwill', Reference: 'CN-17' })
  const types = () => receiver.requests.map(({ body }) => (JSON.parse(body) as { type: string }).type)
  await eventually(() => expect(types()).toEqual(expect.arrayContaining(['payment.succeeded', 'refund.succeeded'])), {
    within: 30_000,
  })
})
