import { eventually, openReceiver, type Receiver } from '@frontdesk/testing'
import { keepScreenshot, openPage } from '@frontdesk/testing/browser-page'
import { findChromium, launchChromium } from '@frontdesk/testing/chromium'
import type { Browser, Page } from 'playwright-core'
import type Stripe from 'stripe'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { embeddedSession, makeAccount, runSandbox, type RunningSandbox } from './running-sandbox.ts'

const executable = findChromium()

test('/stripe.js is JavaScript and is never cached without revalidation', async () => {
  await using sandbox = await runSandbox()
  const script = await fetch(`${sandbox.url}/stripe.js`)
  expect(script.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
  expect(script.headers.get('cache-control')).toBe('no-cache')
})

describe.skipIf(executable === undefined)('in the page of a practice, /stripe.js', () => {
  let browser: Browser
  let practice: Receiver
  let sandbox: RunningSandbox
  let account: string

  beforeAll(async () => {
    browser = await launchChromium(executable ?? '')
    practice = await openReceiver()
    sandbox = await runSandbox()
    account = await makeAccount(sandbox)
  })
  afterAll(async () => {
    await browser.close()
    await sandbox[Symbol.asyncDispose]()
    await practice[Symbol.asyncDispose]()
  })

  const newSession = (changes: Partial<Stripe.Checkout.SessionCreateParams> = {}) =>
    sandbox.stripe.checkout.sessions.create(embeddedSession(changes), { stripeAccount: account })

  /** Opens a page of the practice that runs `code` after it has loaded the script. */
  async function openPractice(code: string, width = 1280) {
    const head = `<meta name="viewport" content="width=device-width" /><style>body { margin: 15px }</style>`
    const body = `${head}<h1>The practice</h1><div id="checkout"></div><p id="said"></p>
      <script src="${sandbox.url}/stripe.js"></script>
      <script type="module">
        const say = (text) => (document.querySelector('#said').textContent += text + '. ')
        try { ${code} } catch (error) { say(error.message) }
      </script>`
    practice.reply(() => ({ status: 200, headers: { 'content-type': 'text/html' }, body }))
    const { page, complaints } = await openPage(browser, width, { scripts: true })
    await page.goto(practice.url)
    return { page, complaints, [Symbol.asyncDispose]: () => page.context().close() }
  }
  const mounting = ({ client_secret: secret }: Stripe.Checkout.Session, stripeAccount = account) => `
    const stripe = Stripe('pk_test_sandbox', { stripeAccount: '${stripeAccount}' })
    const fetchClientSecret = async () => '${secret}'
    window.checkout = await stripe.createEmbeddedCheckoutPage({ fetchClientSecret, onComplete: () => say('complete') })
    window.checkout.mount('#checkout')`
  const said = (page: Page) => page.locator('#said').textContent()
  /** Returns by how many pixels the heights of the checkout and of its frame differ. */
  const misfit = async (page: Page) => {
    const frame = await page.locator('iframe').boundingBox()
    const height = await page
      .frameLocator('iframe')
      .locator('body')
      .evaluate((body) => body.offsetHeight)
    return Math.abs((frame?.height ?? 0) - height)
  }

  test.each([390, 1280])(
    'mounts a checkout at its full height and reports its payment once, at %d pixels',
    async (width) => {
      await using opened = await openPractice(mounting(await newSession()), width)
      const { page, complaints } = opened
      const inside = page.frameLocator('iframe')
      await inside.getByRole('button', { name: 'Pay $250.00' }).waitFor()
      await eventually(async () => expect(await misfit(page)).toBeLessThan(2))
      await inside.getByText('Try another outcome').click()
      await eventually(async () => expect(await misfit(page)).toBeLessThan(2))
      await keepScreenshot(page, `checkout-mounted-${width}`)
      await inside.getByRole('button', { name: 'Decline this card' }).click()
      await inside.getByRole('alert').waitFor()
      await eventually(async () => expect(await inside.locator('[role=alert]:focus').count()).toBe(1))
      expect(await said(page)).toBe('')

      await inside.getByRole('button', { name: 'Pay $250.00' }).click()
      await inside.getByRole('heading', { name: 'Payment received' }).waitFor()
      await eventually(async () => expect(await inside.locator('h1:focus').count()).toBe(1))
      await eventually(async () => expect(await said(page)).toBe('complete. '))
      await eventually(async () => expect(await misfit(page)).toBeLessThan(2))
      await keepScreenshot(page, `checkout-mounted-paid-${width}`)
      expect(complaints).toEqual([])
      await page.evaluate('window.checkout.destroy()')
      expect(await page.locator('iframe').count()).toBe(0)
    },
  )

  test('leaves the focus to the page around it while nobody has acted in the checkout', async () => {
    const session = await newSession()
    await sandbox.control(`checkouts/${session.id}/decline`)
    await using opened = await openPractice(mounting(session))
    await opened.page.frameLocator('iframe').getByRole('alert').waitFor()
    await eventually(async () => expect(await misfit(opened.page)).toBeLessThan(2))
    expect(await opened.page.evaluate('document.activeElement.tagName')).toBe('BODY')
  })

  test('leaves for the return_url if the checkout redirects', async () => {
    const session = await newSession({ redirect_on_completion: 'always', return_url: `${practice.url}/returned` })
    await using opened = await openPractice(mounting(session))
    await opened.page.frameLocator('iframe').getByRole('button', { name: 'Pay $250.00' }).click()
    await opened.page.waitForURL(`${practice.url}/returned`)
  })

  test('shows no checkout for another account, or without one', async () => {
    const session = await newSession()
    for (const stripeAccount of ['acct_1other', '']) {
      await using opened = await openPractice(mounting(session, stripeAccount))
      await opened.page.frameLocator('iframe').getByRole('heading', { name: 'We could not find' }).waitFor()
    }
  })

  test('refuses an invalid key, client secret or element', async () => {
    const session = await newSession()
    await using key = await openPractice(mounting(session).replace('pk_test', 'sk_test'))
    await eventually(async () => expect(await said(key.page)).toContain('a publishable key begins with "pk_"'))
    await using secret = await openPractice(mounting(session).replace('_secret_', ''))
    await eventually(async () => expect(await said(secret.page)).toContain('needs the client secret'))
    await using place = await openPractice(mounting(session).replace("'#checkout'", "'#nowhere'"))
    await eventually(async () => expect(await said(place.page)).toContain('no element #nowhere'))
  })
})
