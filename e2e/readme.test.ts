import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startSystem, type System } from './system.ts'

let system: System

beforeAll(async () => {
  system = await startSystem()
})
afterAll(() => system?.[Symbol.asyncDispose]())

/** What the reader of the README does in a browser where its first comment says so. */
const finishOnboarding = (sandbox: string) => `
account=$(call $api/api/v1/sites/$site/payment-provider-accounts | json 'at(0).externalAccountId')
curl -s -X POST ${sandbox}/_control/accounts/$account/complete
until [ "$(call $api/api/v1/sites/$site/payment-provider-accounts | json 'at(0).status')" = Active ]; do sleep 0.2; done
`

test('the story in curl, as the README has it, ends at a checkout page', async () => {
  const { gateway, sandbox } = system.constellation.dev
  const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8')
  const story = /```sh story\n([\s\S]*?)```/.exec(readme)?.[1] ?? ''
  const [beforeOnboarding = '', afterOnboarding = ''] = story.split(/^# Open that address .*onboarding.*$/m)
  const script = (beforeOnboarding + finishOnboarding(sandbox) + afterOnboarding)
    .replace('http://127.0.0.1:8080', gateway)
    .replace('.frontdesk/dev.json', `${system.constellation.home}/dev.json`)

  const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', script])
  const lines = stdout.trim().split('\n')
  expect(lines[0]).toMatch(`${gateway}/onboarding/`)
  expect(stdout).toContain('whsec_')
  expect(await (await fetch(lines.at(-1) ?? '')).text()).toContain('£45.00')
})
