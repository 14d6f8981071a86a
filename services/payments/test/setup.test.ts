import { operate } from '@frontdesk/operate'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { program } from '../src/commands.ts'
import { openPaymentsFixture, type PaymentsFixture } from './payments-fixture.ts'

let fixture: PaymentsFixture
beforeAll(async () => void (fixture = await openPaymentsFixture()))
afterAll(() => fixture?.[Symbol.asyncDispose]())

async function run(args: string[], env: Record<string, string> = {}): Promise<{ code: number; lines: string[] }> {
  const lines: string[] = []
  const print = (line: string) => void lines.push(line)
  const surroundings = { env: { ...fixture.env('payments'), ...env }, log: pino({ level: 'silent' }) }
  return { code: await operate(program, args, { ...surroundings, print, printError: print }), lines }
}

const notRight = (lines: string[]) => lines.slice(0, -1).filter((line) => !line.startsWith('ok '))

test('the sandbox is set up as is needed, and without an account of a practice the check says what it could not ask', async () => {
  const { code, lines } = await run(['sandbox', 'check'])
  expect(notRight(lines)).toEqual([
    expect.stringMatching(/^warning +permissions: no account of a practice is known yet/),
  ])
  expect(lines.at(-1)).toMatch(/^Sandbox: 0 faults, 1 warnings, \d right$/)
  expect(code).toBe(0)
})

test('with an account of a practice the check asks about it too, and makes nothing at the provider', async () => {
  await fixture.readySite()
  const { code, lines } = await run(['sandbox', 'check', '--dry-run'])
  expect(lines.every((line) => line.startsWith('dry run: '))).toBe(true)
  expect(lines.filter((line) => !line.startsWith('dry run: ok'))).toEqual([
    expect.stringContaining('0 faults, 0 warnings'),
  ])
  expect(code).toBe(0)
  const accounts = await fixture.pool.query('select 1 from account_copies')
  expect(accounts.rowCount).toBe(1)
})

test.each([
  [
    { PUBLIC_URL: 'https://other.example' },
    /^fault +webhooks of payments: no endpoint has the address https:\/\/other/,
  ],
  [{ SANDBOX_SECRET_KEY: 'sk_test_wrong' }, /^fault +account: cannot be checked: Invalid API Key/],
  [{ SANDBOX_PUBLISHABLE_KEY: 'pk_live_1' }, /^fault +publishable key: is of live mode/],
  [{ SANDBOX_PROVIDER_URL: 'http://127.0.0.1:9' }, /^fault +account: cannot be checked: no answer/],
])('%j is a fault, and the exit code says so', async (env, words) => {
  const { code, lines } = await run(['sandbox', 'check'], env)
  expect(lines.filter((line) => line.startsWith('fault')).join('\n')).toMatch(words)
  expect(code).toBe(1)
})

test('a provider that is not configured is a fault', async () => {
  expect(await run(['stripe', 'check'])).toEqual({
    code: 1,
    lines: ['fault    Stripe is not configured; configured: Sandbox'],
  })
})
