import type { PaymentOfSite } from '@frontdesk/contracts'
import { expect, test } from 'vitest'
import { toCsv } from './csv.ts'

const payment = {
  RecordId: '0199a9a0-0000-7000-8000-000000000001',
  SiteSlug: 'sAbc12345678',
  PaymentProvider: 'Stripe',
  Status: 'Pending',
  Currency: 'EUR',
  Amount: 100,
  History: [{ Status: 'Created', Timestamp: '2026-11-22T08:00:00.000Z' }],
} as unknown as PaymentOfSite

const csvOf = (Reference: string) => toCsv([{ ...payment, Reference }], { hasHeader: false })

test.each([
  '=1+1',
  '+1',
  '-1',
  '@SUM(1)',
  ' =1',
  '\t=1',
  '\r=1',
  '\n=1',
  '"=1',
  '＝1',
  'a;=1',
  'a; =1',
  'a\t@SUM(1)',
  'a\n=1',
  'a\r\n;=1',
  'a;"=1',
])('%j begins no formula, also where columns are divided by semicolons or tabs', (Reference) => {
  for (const cell of csvOf(Reference).split(/[;\t\r\n]/)) {
    const parts = cell.startsWith('0199a9a0') ? cell.split(',') : [cell]
    for (const part of parts) expect(part).not.toMatch(/^[\s"]*[=+\-@＝＋－＠]/)
  }
})

test.each(['INV-1', 'a=b', 'a;b', 'a, -b', "it's"])('%j stays as it is', (Reference) => {
  const field = /[,;]/.test(Reference) ? `"${Reference}"` : Reference
  expect(csvOf(Reference)).toContain(`,${field},`)
})
