import { readFile } from 'node:fs/promises'
import { expectUsable, focusOrder, keepScreenshot, openPage } from '@frontdesk/testing/browser-page'
import { findChromium, launchChromium } from '@frontdesk/testing/chromium'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openPracticeSite, type PracticeSite } from './demo/practice-site.ts'
import { openPractice, type Practice } from './system/practice.ts'
import { startSystem, type StartedSystem } from './system/start-system.ts'

const executable = findChromium()

describe.skipIf(executable === undefined)('The embedded checkout, in Chromium,', () => {
  let browser: Browser
  let system: StartedSystem
  let practice: Practice

  beforeAll(async () => {
    browser = await launchChromium(executable ?? '')
    system = await startSystem()
    practice = await openPractice(system)
  })
  afterAll(async () => {
    await practice?.[Symbol.asyncDispose]()
    await system?.[Symbol.asyncDispose]()
    await browser?.close()
  })

  const serve = (page?: string) => {
    const { frontdesk, devStack } = system
    const shown = page === undefined ? {} : { page }
    return openPracticeSite({ frontdesk, site: practice.slug, sandbox: devStack.dev.sandbox, ...shown })
  }
  const open = async ({ url }: PracticeSite, width: number) => {
    const { page, complaints } = await openPage(browser, width, { scripts: true })
    await page.goto(url)
    return { page, complaints, [Symbol.asyncDispose]: () => page.context().close() }
  }
  const newest = async () => {
    const { Items } = await system.frontdesk.payments.list({ SiteSlug: practice.slug })
    const [payment] = Items
    if (payment === undefined) throw new Error('there is no payment')
    return { recordId: payment.RecordId, status: payment.History.at(-1)?.Status }
  }

  test.each([390, 1280])('is paid in the page of the demo, which then says Completed, at %d pixels', async (width) => {
    await using site = await serve()
    await using opened = await open(site, width)
    const { page, complaints } = opened
    const inside = page.frameLocator('#checkout iframe')
    await inside.getByRole('button', { name: 'Pay £70.00' }).waitFor()
    await keepScreenshot(page, `embedded-demo-${width}`)
    await expectUsable(page)
    expect((await newest()).status).toBe('Pending')
    await inside.getByRole('button', { name: 'Decline this card' }).click()
    await inside.getByRole('alert').waitFor()
    await keepScreenshot(page, `embedded-demo-declined-${width}`)
    await inside.getByRole('button', { name: 'Pay £70.00' }).click()

    await page.getByText('Status: Completed').waitFor()
    await keepScreenshot(page, `embedded-demo-paid-${width}`)
    await expectUsable(page)
    expect(await page.locator('iframe').count()).toBe(0)
    expect(complaints).toEqual([])
    const { recordId, status } = await newest()
    expect(status).toBe('Completed')
    expect(await practice.outcomeOf(recordId)).toBe('payment.succeeded')
  })

  test('is reached and paid by keyboard alone', async () => {
    await using site = await serve()
    await using opened = await open(site, 1280)
    const { page } = opened
    await page.frameLocator('#checkout iframe').getByRole('button', { name: 'Pay £70.00' }).waitFor()
    // The frame is one element of the outer page; the focus order in the checkout is tested with its page.
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.getByText('Status: Completed').waitFor()
    expect(await focusOrder(page)).toEqual([])
  })

  test('shows a bank debit as Processing', async () => {
    await using site = await serve()
    await using opened = await open(site, 390)
    const inside = opened.page.frameLocator('#checkout iframe')
    await inside.getByText('Try another outcome').click()
    await inside.getByRole('button', { name: 'Bank debit, confirmed later' }).click()
    await opened.page.getByText('Status: Processing').waitFor()
    await keepScreenshot(opened.page, 'embedded-demo-processing-390')
  })

  test('works in the page that the README of the client prints', async () => {
    const readme = await readFile(new URL('../libs/client/README.md', import.meta.url), 'utf8')
    const example = /```html\n([^]*?)```/.exec(readme)?.[1] ?? ''
    const script = 'https://js.stripe.com/endive/stripe.js'
    expect(example).toContain(script)
    await using site = await serve(example.replace(script, `${system.devStack.dev.sandbox}/stripe.js`))
    await using opened = await open(site, 1280)
    await opened.page.frameLocator('#checkout iframe').getByRole('button', { name: 'Pay £70.00' }).click()
    await opened.page.getByText('Thank you, your payment has arrived.').waitFor()
    expect((await newest()).status).toBe('Completed')
  })

  test('works in the page that the guide of the sandbox prints', async () => {
    const guide = await readFile(new URL('../docs/sandbox.md', import.meta.url), 'utf8')
    const example = /```html\n([^]*?)```/.exec(guide)?.[1] ?? ''
    // What the guide takes for granted: the members of the payment, and a function of the page.
    const given = `const payment = await (await fetch('/payments', { method: 'POST' })).json()
      const { clientSecret, publishableKey, providerAccountId } = payment
      const onComplete = () => document.body.append('onComplete was called')`
    const page = example
      .replace('http://127.0.0.1:…', system.devStack.dev.sandbox)
      .replace('<script type="module">', `<script type="module">\n${given}`)
    await using site = await serve(page)
    await using opened = await open(site, 1280)
    await opened.page.frameLocator('#checkout iframe').getByRole('button', { name: 'Pay £70.00' }).click()
    await opened.page.getByText('onComplete was called').waitFor()
  })

  test('is replaced by an explanation while the provider is down', async () => {
    await using site = await serve()
    await system.devStack.stop('sandbox-provider')
    try {
      const { page } = await openPage(browser, 390, { scripts: true })
      await page.goto(site.url)
      await page.getByText('The payment cannot be made right now.').waitFor()
      await page.context().close()
    } finally {
      await system.devStack.start('sandbox-provider')
    }
  })
})
