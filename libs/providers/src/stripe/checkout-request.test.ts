import { describe, expect, test } from 'vitest'
import { ProviderRefused } from '../errors.ts'
import type { CheckoutOrder } from '../orders.ts'
import { checkoutRequest } from './checkout-request.ts'

const order: CheckoutOrder = {
  recordId: '0199b6a0-0000-7000-8000-000000000001',
  site: {
    slug: 's12345678901',
    owningOrganisation: 'o1234',
    billingOrganisation: 'o5678',
    practiceManagementSystem: 'OpenDental',
    pmsSpecificId: 'pms-1',
  },
  providerAccountId: 'acct_1',
  currency: 'GBP',
  lineItems: [
    { Price: 4_500, Quantity: 2, ProductName: 'Hygienist visit', ProductDescription: 'Scale and polish' },
    { Price: 250, ProductName: 'Floss', TaxBehaviour: 'Exclusive' },
  ],
  feeAmount: 120,
  uiMode: 'Hosted',
  reference: 'INV-7',
  landingUrl: 'https://pay.example/checkout/done',
}

describe('the checkout request', () => {
  test('contains the members of a hosted direct charge, and no others', () => {
    expect(
      checkoutRequest({ ...order, statementDescriptor: 'SMILE DENTAL', statementDescriptorPrefix: 'SMILE' }),
    ).toEqual({
      providerAccountId: 'acct_1',
      idempotencyKey: 'pay_0199b6a0-0000-7000-8000-000000000001',
      cardStatementText: 'SMILE* SMILE DENTAL',
      params: {
        mode: 'payment',
        ui_mode: 'hosted_page',
        success_url: 'https://pay.example/checkout/done',
        line_items: [
          {
            quantity: 2,
            price_data: {
              currency: 'gbp',
              unit_amount: 4_500,
              tax_behavior: 'inclusive',
              product_data: { name: 'Hygienist visit', description: 'Scale and polish' },
            },
          },
          {
            quantity: 1,
            price_data: {
              currency: 'gbp',
              unit_amount: 250,
              tax_behavior: 'exclusive',
              product_data: { name: 'Floss' },
            },
          },
        ],
        client_reference_id: order.recordId,
        metadata: {
          recordId: order.recordId,
          siteSlug: 's12345678901',
          organisationSlug: 'o1234',
          billingOrganisationSlug: 'o5678',
          product: 'OpenDental',
          pmsSpecificId: 'pms-1',
          feeAmount: '120',
          reference: 'INV-7',
          statementDescriptor: 'SMILE DENTAL',
        },
        adaptive_pricing: { enabled: false },
        automatic_tax: { enabled: false },
        payment_intent_data: {
          application_fee_amount: 120,
          statement_descriptor_suffix: 'SMILE DENTAL',
          description: 'INV-7',
          metadata: { recordId: order.recordId, siteSlug: order.site.slug },
        },
      },
    })
  })

  test('notes the TaxBehaviour of each line at the provider, which adds no tax: the sum of the lines is what is taken', () => {
    const { params } = checkoutRequest(order)
    expect(params).toMatchObject({
      automatic_tax: { enabled: false },
      line_items: [
        { quantity: 2, price_data: { unit_amount: 4_500, tax_behavior: 'inclusive' } },
        { quantity: 1, price_data: { unit_amount: 250, tax_behavior: 'exclusive' } },
      ],
    })
  })

  test('tells what a card statement will show, beside what is sent', () => {
    const request = checkoutRequest({
      ...order,
      statementDescriptor: 'HARBOUR ST DENTAL',
      statementDescriptorPrefix: 'HARBOUR ST',
    })
    expect(request.cardStatementText).toBe('HARBOUR ST* HARBOUR ST')
    expect(request.params).toMatchObject({ payment_intent_data: { statement_descriptor_suffix: 'HARBOUR ST' } })
    expect(JSON.stringify(request.params)).not.toContain('* ')
    expect(checkoutRequest({ ...order, statementDescriptor: 'VISIT' })).not.toHaveProperty('cardStatementText')
  })

  test('is unchanged after a round trip through JSON', () => {
    const request = checkoutRequest(order)
    expect(JSON.parse(JSON.stringify(request))).toStrictEqual(request)
  })

  test('uses the addresses of the client on a hosted page', () => {
    const urls = { successUrl: 'https://pms.example/ok?s={CHECKOUT_SESSION_ID}', cancelUrl: 'https://pms.example/back' }
    expect(checkoutRequest({ ...order, ...urls }).params).toMatchObject({
      success_url: urls.successUrl,
      cancel_url: urls.cancelUrl,
    })
  })

  test('omits the hosted addresses on an embedded page', () => {
    const { params } = checkoutRequest({ ...order, uiMode: 'Embedded', cancelUrl: 'https://pms.example/back' })
    expect(params).toMatchObject({ ui_mode: 'embedded_page', redirect_on_completion: 'never' })
    expect(params).not.toHaveProperty('success_url')
    expect(params).not.toHaveProperty('cancel_url')
    expect(params).not.toHaveProperty('return_url')
    expect(
      checkoutRequest({ ...order, uiMode: 'Embedded', successUrl: 'https://pms.example/ok' }).params,
    ).toMatchObject({
      return_url: 'https://pms.example/ok',
      redirect_on_completion: 'if_required',
    })
  })

  test('contains the customer id only if it is one of the provider', () => {
    expect(checkoutRequest({ ...order, customerId: 'cus_NffrFeUfNV2Hib' }).params).toHaveProperty(
      'customer',
      'cus_NffrFeUfNV2Hib',
    )
    expect(checkoutRequest({ ...order, customerId: 'patient 17' }).params).not.toHaveProperty('customer')
  })

  test('omits a fee of zero', () => {
    expect(checkoutRequest({ ...order, feeAmount: 0 }).params['payment_intent_data']).not.toHaveProperty(
      'application_fee_amount',
    )
  })

  test.each<[string, Partial<CheckoutOrder>, string, string]>([
    ['a total under the minimum', { lineItems: [{ Price: 29, ProductName: 'x' }] }, 'amount_too_small', '/LineItems'],
    [
      'a total over the maximum',
      { lineItems: [{ Price: 50_000_000, Quantity: 2, ProductName: 'x' }] },
      'amount_too_large',
      '/LineItems',
    ],
    [
      'a unit price in fils',
      { currency: 'KWD', lineItems: [{ Price: 1_005, Quantity: 2, ProductName: 'x' }] },
      'amount_not_representable',
      '/LineItems/0/Price',
    ],
    [
      'a fee in fils',
      { currency: 'KWD', lineItems: [{ Price: 1_000, ProductName: 'x' }], feeAmount: 5 },
      'amount_not_representable',
      '/FeeAmount',
    ],
    ['an unsupported currency', { currency: 'XAU' }, 'currency_unsupported', '/Currency'],
    [
      'a refused character in the statement descriptor',
      { statementDescriptor: 'SMILE*' },
      'statement_descriptor_refused',
      '/StatementDescriptor',
    ],
  ])('is refused before the provider is asked: %s', (_, changes, reason, pointer) => {
    let refused: unknown
    try {
      checkoutRequest({ ...order, feeAmount: 0, ...changes })
    } catch (error) {
      refused = error
    }
    expect(refused).toBeInstanceOf(ProviderRefused)
    expect(refused).toMatchObject({ reason, details: { faults: [{ pointer }] } })
  })
})
