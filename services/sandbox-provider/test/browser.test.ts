import { openReceiver, type Receiver } from '@frontdesk/testing'
import { expectUsable, focusOrder, keepScreenshot, openPage } from '@frontdesk/testing/browser-page'
import { findChromium, launchChromium } from '@frontdesk/testing/chromium'
import type { Browser } from 'playwright-core'
import type Stripe from 'stripe'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  embeddedSession,
  hostedSession,
  lineItem,
  makeAccount,
  runSandbox,
  type RunningSandbox,
} from './running-sandbox.ts'

const executable = findChromium()

describe.skipIf(executable === undefined).each([390, 1280])('in Chromium, without scripts, at %d pixels', (width) => {
  let browser: Browser
  let sandbox: RunningSandbox
  /** the practice's own site, to which the pages return */
  let practice: Receiver
  let account: string

  beforeAll(async () => {
    browser = await launchChromium(executable ?? '')
    practice = await openReceiver()
    practice.reply(() => ({ status: 200, headers: { 'content-type': 'text/html' }, body: '<h1>The practice</h1>' }))
    sandbox = await runSandbox()
    account = await makeAccount(sandbox)
  })
  afterAll(async () => {
    await browser.close()
    await sandbox[Symbol.asyncDispose]()
    await practice[Symbol.asyncDispose]()
  })

  const newSession = (changes: Partial<Stripe.Checkout.SessionCreateParams> = {}, on = account) => {
    const addresses = {
      success_url: `${practice.url}/paid?session={CHECKOUT_SESSION_ID}`,
      cancel_url: `${practice.url}/back`,
    }
    const params = changes.ui_mode === 'embedded_page' ? changes : hostedSession({ ...addresses, ...changes })
    return sandbox.stripe.checkout.sessions.create(params, { stripeAccount: on })
  }
  /** Returns the address of a new onboarding of an account. */
  const linkOf = async (id: string): Promise<string> => {
    const addresses = { refresh_url: `${practice.url}/refresh`, return_url: `${practice.url}/onboarded` }
    return (await sandbox.stripe.accountLinks.create({ account: id, type: 'account_onboarding', ...addresses })).url
  }
  const open = async (address: string | null) => {
    const { page, complaints } = await openPage(browser, width)
    await page.goto(address ?? '')
    return { page, complaints, [Symbol.asyncDispose]: () => page.context().close() }
  }
  test('the page shows payee, items and total, and the keyboard reaches every control', async () => {
    await using opened = await open((await newSession()).url)
    const { page, complaints } = opened
    expect(await page.title()).toBe('Pay $250.00 to Harbour Street Dental')
    expect(await page.locator('html').getAttribute('lang')).toBe('en-NZ')
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Harbour Street Dental')
    expect(text(await page.locator('.total').textContent())).toBe('Total to pay: $250.00 NZD')
    expect((await page.getByRole('listitem').allTextContents()).map(text)).toEqual([
      'Examination and X-rays $65.00',
      'White filling, one surface Quantity 2, $92.50 each $185.00',
    ])
    expect(await page.getByRole('group', { name: 'Test card, Visa ending in 4242, expires 12/34' }).count()).toBe(1)
    expect(await page.getByRole('banner').textContent()).toContain('no real money moves')
    expect(await page.getByRole('button', { name: 'Pay $250.00' }).count()).toBe(1)
    await keepScreenshot(page, `checkout-open-${width}`)
    await expectUsable(page)
    expect(await focusOrder(page)).toEqual([
      'Back to Harbour Street Dental without paying',
      'Pay $250.00',
      'Decline this card',
      'Try another outcome',
    ])
    expect(complaints).toEqual([])
  })

  test('a patient pays and returns to the practice, and the page then shows the payment as received', async () => {
    const session = await newSession()
    await using opened = await open(session.url)
    const { page, complaints } = opened
    await page.getByRole('button', { name: 'Pay $250.00' }).click()
    await page.waitForURL(`${practice.url}/paid?session=${session.id}`)
    expect(complaints).toEqual([])
    await page.goto(session.url ?? '')
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Payment received')
    expect(text(await page.locator('.message').textContent())).toMatch(
      /Thank you\. You paid \$250\.00 to Harbour Street Dental\..*Reference INV-1001 Paid \d+ \w+ 20\d\d at/,
    )
    await keepScreenshot(page, `checkout-paid-${width}`)
    await expectUsable(page)
  })

  test('a paid checkout says what has been refunded, disputed or taken back since', async () => {
    const session = await newSession()
    const act = (action: string) => sandbox.control(`checkouts/${session.id}/${action}`)
    await act('pay')
    await using opened = await open(session.url)
    const { page } = opened
    const shows = async (action: string, heading: string, words: string) => {
      await act(action)
      await page.reload()
      expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe(heading)
      expect(text(await page.locator('.message').textContent())).toContain(words)
      expect(text(await page.locator('.message').textContent())).not.toContain('Thank you')
      await keepScreenshot(page, `checkout-${action.replaceAll(/\W/g, '-')}-${width}`)
      await expectUsable(page)
    }
    await shows('refund?amount=5000', 'A part of your payment was refunded', '$50.00 of the $250.00')
    await shows('dispute', 'This payment is disputed', 'Your bank is looking into')
    await shows('win-dispute', 'A part of your payment was refunded', 'Refunded $50.00')
    await shows('refund', 'Your payment was refunded', 'The $250.00 that you paid to Harbour Street Dental goes back')
    const other = await newSession()
    for (const action of ['pay', 'dispute', 'lose-dispute']) await sandbox.control(`checkouts/${other.id}/${action}`)
    await page.goto(other.url ?? '')
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Your bank has reversed this payment')
    await expectUsable(page)
  })

  test('a declined card shows a focused alert at once, and another try pays', async () => {
    const session = await newSession()
    await using opened = await open(session.url)
    const { page } = opened
    await page.getByRole('button', { name: 'Decline this card' }).click()
    const alert = page.getByRole('alert')
    await alert.waitFor()
    expect(text(await alert.textContent())).toBe(
      'Your card was declined. You have not been charged. You can try again or go back to the practice.',
    )
    expect(await page.locator('[role=alert]:focus').count()).toBe(1)
    expect(await page.title()).toBe('Payment declined. Pay $250.00 to Harbour Street Dental')
    await keepScreenshot(page, `checkout-declined-${width}`)
    await expectUsable(page)
    await page.getByRole('button', { name: 'Pay $250.00' }).click()
    await page.waitForURL(`${practice.url}/paid?session=${session.id}`)
  })

  test('a patient who goes back to the practice can still pay', async () => {
    const session = await newSession()
    await using opened = await open(session.url)
    const { page } = opened
    await page.getByRole('link', { name: 'Back to Harbour Street Dental without paying' }).click()
    await page.waitForURL(`${practice.url}/back`)
    await page.goto(session.url ?? '')
    expect(await page.getByRole('button', { name: 'Pay $250.00' }).count()).toBe(1)
  })

  test('a checkout without a cancel_url has no link back', async () => {
    await using opened = await open((await newSession({ cancel_url: undefined } as object)).url)
    expect(await opened.page.getByRole('link').count()).toBe(0)
  })

  test('a bank debit is pending until somebody decides for the bank', async () => {
    const session = await newSession()
    await using opened = await open(session.url)
    const { page } = opened
    await page.getByText('Try another outcome').click()
    await keepScreenshot(page, `checkout-outcomes-${width}`)
    await page.getByRole('button', { name: 'Bank debit, confirmed later' }).click()
    await page.waitForURL(`${practice.url}/paid?session=${session.id}`)
    await page.goto(session.url ?? '')
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Your payment is on its way')
    await page.getByText('Decide for the bank').click()
    await keepScreenshot(page, `checkout-delayed-${width}`)
    await expectUsable(page)
    await page.getByRole('button', { name: 'The bank refuses' }).click()
    await page.getByRole('heading', { name: 'The payment did not go through' }).waitFor()
    await keepScreenshot(page, `checkout-failed-${width}`)
    await expectUsable(page)
  })

  test('an expired and an unknown checkout each have their page', async () => {
    const session = await newSession()
    await sandbox.control(`checkouts/${session.id}/expire`)
    await using opened = await open(session.url)
    const { page } = opened
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('This payment page is no longer open')
    await keepScreenshot(page, `checkout-expired-${width}`)
    await expectUsable(page)
    expect((await page.goto(`${sandbox.url}/c/cs_test_nothing`))?.status()).toBe(404)
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('We could not find this payment page')
    await keepScreenshot(page, `checkout-unknown-${width}`)
    await expectUsable(page)
  })

  test('amounts without decimals and with three are formatted as usual', { timeout: 120_000 }, async () => {
    const places = [
      ['JP', 'jpy', 'jpy', 10_000, 'Pay ¥10,000'],
      ['AE', 'aed', 'kwd', 12_500, 'Pay KWD 12.500'],
      ['DK', 'dkk', 'isk', 250_000, 'Pay ISK 2,500'],
      ['HU', 'huf', 'huf', 250_000, 'Pay HUF 2,500.00'],
    ] as const
    for (const [country, own, currency, amount, label] of places) {
      const name = 'Gulf Vision Optometrists and Ophthalmic Surgery Centre'
      const local = await makeAccount(sandbox, {
        country,
        default_currency: own,
        business_profile: { name },
        settings: {},
      })
      const items = [lineItem('Progressive lenses, including fitting and one adjustment', amount, 1, currency)]
      await using opened = await open((await newSession({ line_items: items, payment_intent_data: {} }, local)).url)
      expect(text(await opened.page.getByRole('button').first().textContent())).toBe(label)
      await keepScreenshot(opened.page, `checkout-${currency}-${width}`)
      await expectUsable(opened.page)
    }
  })

  test('an embedded checkout is paid in its frame, or leaves it for the return_url', { timeout: 120_000 }, async () => {
    const framed = async (changes: Partial<Stripe.Checkout.SessionCreateParams>) => {
      const session = await newSession(embeddedSession(changes))
      const frame = `${sandbox.url}/e/${session.client_secret}`
      const body = `<h1>The practice</h1><iframe title="Payment" src="${frame}" width="${width - 30}" height="900"></iframe>`
      practice.reply(({ path }) => ({
        status: 200,
        headers: { 'content-type': 'text/html' },
        body: path === '/embedding' ? body : '<h1>The practice</h1>',
      }))
      return { session, opened: await open(`${practice.url}/embedding`) }
    }
    const shown = await newSession(embeddedSession())
    await using alone = await open(`${sandbox.url}/e/${shown.client_secret}`)
    await expectUsable(alone.page)
    await alone.page.getByRole('button', { name: 'Decline this card' }).click()
    await alone.page.getByRole('alert').waitFor()
    await expectUsable(alone.page)
    await alone.page.getByRole('button', { name: 'Pay $250.00' }).click()
    await alone.page.getByRole('heading', { name: 'Payment received' }).waitFor()
    await expectUsable(alone.page)

    const stays = await framed({})
    const inside = stays.opened.page.frameLocator('iframe')
    await keepScreenshot(stays.opened.page, `checkout-embedded-${width}`)
    await inside.getByRole('button', { name: 'Pay $250.00' }).click()
    await inside.getByRole('heading', { name: 'Payment received' }).waitFor()
    expect(stays.opened.complaints).toEqual([])
    await stays.opened[Symbol.asyncDispose]()

    const leaves = await framed({
      redirect_on_completion: 'always',
      return_url: `${practice.url}/returned?session={CHECKOUT_SESSION_ID}`,
    })
    await leaves.opened.page.frameLocator('iframe').getByRole('button', { name: 'Pay $250.00' }).click()
    await leaves.opened.page.waitForURL(`${practice.url}/returned?session=${leaves.session.id}`)
    await leaves.opened[Symbol.asyncDispose]()
  })

  test('a practice checks its details, sees what is missing, and finishes', async () => {
    const id = await makeAccount(sandbox, { onboarded: false })
    const link = await linkOf(id)
    await using opened = await open(link)
    const { page } = opened
    expect(await page.title()).toBe('Set up payments for Harbour Street Dental')
    await keepScreenshot(page, `onboarding-${width}`)
    await expectUsable(page)
    expect(await focusOrder(page)).toEqual([
      'Practice name',
      'Phone for patients optional',
      'Website optional',
      'These details are right, and I may act for this practice.',
      'Confirm and finish',
      'Finish later',
      'Try another outcome',
    ])
    await page.getByLabel('Phone for patients').fill('call us')
    await page.getByRole('button', { name: 'Confirm and finish' }).click()
    const alert = page.getByRole('alert')
    await alert.waitFor()
    expect(await page.locator('[role=alert]:focus').count()).toBe(1)
    expect(await page.getByLabel('Phone for patients').getAttribute('aria-invalid')).toBe('true')
    await keepScreenshot(page, `onboarding-errors-${width}`)
    await expectUsable(page)
    await page.getByLabel('Phone for patients').fill('+64 9 555 0199')
    await page.getByLabel('These details are right').check()
    await page.getByRole('button', { name: 'Confirm and finish' }).click()
    await page.waitForURL(`${practice.url}/onboarded`)
    expect(await sandbox.stripe.accounts.retrieve(id)).toMatchObject({ charges_enabled: true, payouts_enabled: true })
    await page.goto(link)
    expect(page.url()).toBe(`${practice.url}/refresh`)
  })

  test('a setup that is opened again after its end says how it ended', async () => {
    for (const [action, heading] of [
      ['complete', 'Your practice can take payments'],
      ['reject', 'This account cannot take payments'],
    ] as const) {
      const id = await makeAccount(sandbox, { onboarded: false })
      await using opened = await open(await linkOf(id))
      const { page } = opened
      await sandbox.control(`accounts/${id}/${action}`)
      await page.reload()
      expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe(heading)
      expect(await page.getByRole('textbox').count()).toBe(0)
      await keepScreenshot(page, `onboarding-${action}-${width}`)
      await expectUsable(page)
      await page.getByRole('link', { name: 'Continue' }).click()
      await page.waitForURL(`${practice.url}/onboarded`)
    }
  })
})

/** Returns a text with each run of blanks, non-breaking ones included, replaced by one space. */
function text(content: string | null): string {
  return (content ?? '').replaceAll(/[\s\u00a0]+/g, ' ').trim()
}
