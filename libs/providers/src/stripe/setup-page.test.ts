import { readFileSync } from 'node:fs'
import Stripe from 'stripe'
import { expect, test } from 'vitest'
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
