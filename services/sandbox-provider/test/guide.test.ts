import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { faultSettings } from '../src/faults/settings.ts'
import { handledEvents } from '../src/webhooks/store.ts'
import { hostedSession, lineItem, makeAccount, runSandbox, secretKey } from './running-sandbox.ts'

const guide = readFileSync(new URL('../../../docs/sandbox.md', import.meta.url), 'utf8')
const run = promisify(execFile)

/** The names in the first column of all tables. */
const named = new Set(
  [...guide.matchAll(/^\| (`[^|]+) \|/gm)].flatMap(([, cell = '']) => cell.replaceAll('`', '').split(', ')),
)

/** Parses the expected output of an example: a text that ends in … matches any text with that beginning. */
function expected(json: string): unknown {
  return JSON.parse(json, (_name, value: unknown) =>
    typeof value === 'string' && value.endsWith('…')
      ? expect.stringMatching(new RegExp(`^${value.slice(0, -1)}`))
      : value,
  )
}

test('the examples of docs/sandbox.md work and print what it says', async () => {
  await using sandbox = await runSandbox()
  const account = await makeAccount(sandbox, { onboarded: false, country: 'GB', default_currency: 'gbp' })
  await sandbox.control(`accounts/${account}/complete`)
  const items = [lineItem('Check-up', 4_500, 1, 'gbp')]
  const session = await sandbox.stripe.checkout.sessions.create(hostedSession({ line_items: items }), {
    stripeAccount: account,
  })
  const examples = [...guide.matchAll(/```sh\n([^]*?)```(?:\n```json\n([^]*?)```)?/g)]
  expect(examples.length).toBeGreaterThan(8)
  const script = examples
    .map(([, commands = '']) => commands.replace(/^sandbox=.*$/m, `sandbox=${sandbox.url}`))
    .join(`printf '\\n\\x1e\\n'\n`)
    .replaceAll('sk_test_sandbox', secretKey)
  const { stdout } = await run('bash', ['-euo', 'pipefail', '-c', script], {
    env: { ...process.env, payment: session.id, account },
  })
  const printed = stdout.split('\x1e').map((text) => text.trim())
  expect(printed).toHaveLength(examples.length)
  for (const [index, [, , answer]] of examples.entries()) {
    const said = printed[index] ?? ''
    if (answer === undefined) expect(said).toBe('')
    else expect(JSON.parse(said)).toMatchObject(expected(answer) as object)
  }
})

test('docs/sandbox.md names every action, fault and event', async () => {
  await using sandbox = await runSandbox()
  const account = await makeAccount(sandbox)
  const session = await sandbox.stripe.checkout.sessions.create(hostedSession(), { stripeAccount: account })
  for (const path of [`checkouts/${session.id}`, `accounts/${account}`]) {
    const { detail } = (await (await sandbox.control(`${path}/nothing`)).json()) as { detail: string }
    const actions = /Use one of (.+)\.$/.exec(detail)?.[1]?.split(', ') ?? []
    expect(actions.length).toBeGreaterThan(3)
    for (const action of actions) expect(named).toContain(action)
  }
  const { api, refunds, rules, webhooks } = faultSettings.properties
  for (const group of [api, refunds, rules, webhooks]) {
    for (const fault of Object.keys(group.properties)) expect(named).toContain(fault)
  }
  for (const type of handledEvents) expect(guide).toContain(`\`${type}\``)
})
