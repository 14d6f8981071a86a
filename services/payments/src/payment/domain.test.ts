import type { AccountState, PaymentCreation, SiteAccess } from '@frontdesk/contracts'
import { assert, bigInt, integer, nat, property, record, array } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { canCharge, cancel, newPayment, siteDeleted, type Payment } from './domain.ts'

const now = new Date('2026-11-21T09:00:00Z')
const recordId = '0199b6a0-0000-7000-8000-000000000001'
const landingUrl = 'https://pay.example/checkout/done'
const site: SiteAccess = {
  slug: 's12345678901',
  name: 'Smile Dental',
  practiceManagementSystem: 'OpenDental',
  pmsSpecificId: '17',
  owningOrganisation: 'o12345678901',
  billingOrganisation: 'o12345678902',
  status: 'Operational',
}
const account: AccountState = {
  version: 3,
  accountId: '0199b6a0-0000-7000-8000-00000000000a',
  siteSlug: site.slug,
  paymentProvider: 'Sandbox',
  status: 'Active',
  externalAccountId: 'acct_1',
  statementDescriptorPrefix: 'SMILE',
  createdAt: '2026-11-20T09:00:00Z',
}
const command: PaymentCreation = {
  PaymentProvider: 'Sandbox',
  Currency: 'GBP',
  Reference: 'INV-7',
  FeeAmount: 120,
  LineItems: [
    { Price: 4_500, Quantity: 2, ProductName: 'Hygienist visit' },
    { Price: 250, ProductName: 'Floss' },
  ],
}
const make = (
  changes: Partial<PaymentCreation> = {},
  context: { site?: SiteAccess; account?: AccountState | undefined } = {},
) => newPayment({ ...command, ...changes }, { recordId, site, account, landingUrl, ...context }, now)
const problemOf = (code: string): object => expect.objectContaining({ code }) as object

describe('a new payment', () => {
  test('is Created, with the sum of its line items and the site as it is now', () => {
    const { next, history, events } = make()
    expect(next).toMatchObject({
      recordId,
      site: {
        slug: site.slug,
        practiceManagementSystem: 'OpenDental',
        pmsSpecificId: '17',
        owningOrganisation: 'o12345678901',
        billingOrganisation: 'o12345678902',
      },
      providerAccountId: 'acct_1',
      status: 'Created',
      uiMode: 'Hosted',
      amount: 9_250,
      feeAmount: 120,
      tipAmount: 0,
      listed: true,
      version: 1,
    })
    expect(history).toEqual([{ at: now, status: 'Created', description: 'Payment created' }])
    expect(events).toEqual([])
  })

  test('comes with the order for the provider', () => {
    const { order } = make({ SuccessUrl: 'https://pms.example/ok', UiMode: 'Embedded', StatementDescriptor: 'VISIT' })
    expect(order).toMatchObject({
      recordId,
      site: { slug: site.slug },
      providerAccountId: 'acct_1',
      lineItems: command.LineItems,
      feeAmount: 120,
      uiMode: 'Embedded',
      statementDescriptor: 'VISIT',
      statementDescriptorPrefix: 'SMILE',
      successUrl: 'https://pms.example/ok',
      landingUrl,
    })
  })

  test('has a fee of at most its amount, and none by default', () => {
    expect(make({ FeeAmount: 9_251 }).next.feeAmount).toBe(9_250)
    expect(make({ FeeAmount: 2 ** 63 }).next.feeAmount).toBe(9_250)
    const { FeeAmount: _, ...withoutFee } = command
    expect(newPayment(withoutFee, { recordId, site, account, landingUrl }, now).next.feeAmount).toBe(0)
  })

  test.each<[string, Partial<PaymentCreation>, string]>([
    ['no line items', { LineItems: [] }, 'line_items_required'],
    ['a sum of nothing', { LineItems: [{ Price: 0, Quantity: 5, ProductName: 'x' }] }, 'amount_too_small'],
    [
      'a sum over eight digits',
      { LineItems: [{ Price: 50_000_000, Quantity: 2, ProductName: 'x' }] },
      'amount_too_large',
    ],
    [
      'a sum beyond what a number holds',
      { LineItems: [{ Price: Number.MAX_SAFE_INTEGER, Quantity: Number.MAX_SAFE_INTEGER, ProductName: 'x' }] },
      'amount_too_large',
    ],
  ])('is refused with %s', (_, changes, code) => {
    expect(() => make(changes)).toThrow(
      expect.objectContaining({
        code,
        status: 422,
        options: expect.objectContaining({ errors: [expect.objectContaining({ pointer: '/LineItems' })] }),
      }),
    )
  })

  test('is refused without line items at all', () => {
    const { LineItems: _, ...withoutItems } = command
    expect(() => newPayment(withoutItems, { recordId, site, account, landingUrl }, now)).toThrow(
      problemOf('line_items_required'),
    )
  })

  test('takes exactly the largest amount', () => {
    expect(make({ LineItems: [{ Price: 99_999_999, ProductName: 'x' }] }).next.amount).toBe(99_999_999)
  })

  test.each(['Suspended', 'Closed'] as const)('is refused for a site that is %s', (status) => {
    expect(() => make({}, { site: { ...site, status } })).toThrow(problemOf('site_suspended'))
  })

  test('needs an account of that provider that can charge', () => {
    expect(() => make({}, { account: undefined })).toThrow(problemOf('provider_account_not_ready'))
    for (const status of ['None', 'Pending', 'ActionRequired', 'Disabled', 'Rejected'] as const) {
      expect(() => make({}, { account: { ...account, status } }), status).toThrow(
        problemOf('provider_account_not_ready'),
      )
    }
    expect(make({}, { account: { ...account, status: 'Restricted' } }).next.status).toBe('Created')
    expect(canCharge(undefined)).toBe(false)
  })

  test('has an amount that is the sum to the last unit, and a fee within it', () => {
    const item = record({ Price: nat(10_000), Quantity: integer({ min: 1, max: 50 }) })
    assert(
      property(array(item, { minLength: 1, maxLength: 20 }), bigInt({ min: 0n, max: 2n ** 63n - 1n }), (items, fee) => {
        const total = items.reduce((sum, { Price, Quantity }) => sum + BigInt(Price) * BigInt(Quantity), 0n)
        if (total === 0n) return
        const { next } = make({
          LineItems: items.map((each) => ({ ...each, ProductName: 'x' })),
          FeeAmount: Number(fee),
        })
        expect(BigInt(next.amount)).toBe(total)
        expect(next.feeAmount).toBeLessThanOrEqual(next.amount)
      }),
    )
  })
})

describe('cancelling', () => {
  const inStatus = (status: Payment['status']): Payment => ({ ...make().next, status })

  test.each(['Created', 'Pending', 'Declined'] as const)(
    'a payment that is %s only marks it: the provider must confirm',
    (status) => {
      const { next, events, history } = cancel(inStatus(status))
      expect(next).toMatchObject({ status, cancelling: 'requested_by_client', version: 2 })
      expect([...events, ...history]).toEqual([])
    },
  )

  test('twice has the effect of once, and the first reason stays', () => {
    const { next } = cancel(inStatus('Pending'))
    expect(cancel(next).next).toBe(next)
    expect(siteDeleted(next).next).toBe(next)
    const cancelled = inStatus('Cancelled')
    expect(cancel(cancelled).next).toBe(cancelled)
  })

  test.each(['Processing', 'Completed', 'Failed', 'PartiallyRefunded', 'Refunded', 'Disputed', 'ChargedBack'] as const)(
    'a payment that is %s is refused to the client, and the payment stays as it is when its site is deleted',
    (status) => {
      const payment = inStatus(status)
      expect(() => cancel(payment)).toThrow(problemOf('payment_not_cancellable'))
      expect(siteDeleted(payment).next).toBe(payment)
    },
  )

  test('marks the open payments of a deleted site with that reason', () => {
    expect(siteDeleted(inStatus('Declined')).next.cancelling).toBe('site_deleted')
  })
})
