import { expectUsable, keepScreenshot, openPage, resize } from '@frontdesk/testing/browser-page'
import { findChromium, launchChromium } from '@frontdesk/testing/chromium'
import type Stripe from 'stripe'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { hostedSession, lineItem, makeAccount, runSandbox, type RunningSandbox } from './running-sandbox.ts'

const executable = findChromium()
const practice = 'Zahnarztpraxis am Hafen'
let sandbox: RunningSandbox
let account: string
beforeAll(async () => {
  sandbox = await runSandbox()
  account = await makeAccount(sandbox, german)
})
afterAll(() => sandbox[Symbol.asyncDispose]())

const german: Stripe.AccountCreateParams = {
  country: 'DE',
  default_currency: 'eur',
  business_profile: { name: practice },
  settings: {},
}

const session = () => {
  const items = [lineItem('Kontrolle', 12_372_648, 1, 'eur'), lineItem('Füllung', 9_250, 2, 'eur')]
  return sandbox.stripe.checkout.sessions.create(hostedSession({ line_items: items }), { stripeAccount: account })
}
const act = (checkout: { id: string }, action: string) => sandbox.control(`checkouts/${checkout.id}/${action}`)

/** Returns the words of a page, as a browser that asks for these languages gets it. */
async function read(url: string | null, language: string) {
  const text = await (await fetch(url ?? '', { headers: { 'accept-language': language } })).text()
  const words = text.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ')
  return { words, lang: /<html lang="([^"]+)"/.exec(text)?.[1] }
}

test('a checkout speaks the language of the browser, with the amounts and times of the country of the practice', async () => {
  const { url } = await session()
  const local = await read(url, 'de-DE,de;q=0.9,en-US;q=0.8,en;q=0.7')
  expect(local.lang).toBe('de-DE')
  expect(local.words).toContain(`123.911,48 € an ${practice} bezahlen`)
  expect(local.words).toContain('Menge 2, je 92,50 €')
  expect(local.words).toMatch(/Diese Seite ist offen bis \d+\. \S+ 20\d\d um \d\d:\d\d ME(S)?Z\./)
  expect((await read(url, 'en-US,en;q=0.9')).words).toContain(`Pay €123,911.48 to ${practice}`)
  expect((await read(url, 'fr-FR')).words).toContain(`Payer 123 911,48 € à ${practice}`)
  expect((await read(url, 'nl')).words).toContain(`€ 123.911,48 betalen aan ${practice}`)
  // Nobody's language: that of the practice.
  expect((await read(url, 'fi')).lang).toBe('de-DE')
})

test.skipIf(executable === undefined)(
  'every page is usable and axe finds no fault, on a phone and on a desk, in German',
  { timeout: 120_000 },
  async () => {
    const browser = await launchChromium(executable ?? '')
    try {
      const { page } = await openPage(browser, 390, { locale: 'de-DE' })
      const seen = async (name: string, heading: string) => {
        expect(await page.locator('html').getAttribute('lang')).toMatch(/^de/)
        expect((await page.getByRole('heading').allTextContents()).join(' ')).toContain(heading)
        for (const width of [390, 1280]) {
          await resize(page, width)
          await expectUsable(page)
          if (width === 390) await keepScreenshot(page, `german-${name}`)
        }
      }
      const checkout = await session()
      await page.goto(checkout.url ?? '')
      await seen('checkout', 'Mit Karte bezahlen')
      const after = async (actions: string[], heading: string, of: { id: string; url: string | null }) => {
        for (const action of actions) await act(of, action)
        await page.goto(of.url ?? '')
        await seen(actions.at(-1) ?? '', heading)
      }
      await after(['decline'], 'Mit Karte bezahlen', checkout)
      expect(await page.getByRole('alert').textContent()).toContain('Ihre Karte wurde abgelehnt.')
      await after(['delay'], 'Ihre Zahlung ist unterwegs', checkout)
      await after(['settle'], 'Zahlung erhalten', checkout)
      await after(['refund?amount=5000'], 'Ihre Zahlung wurde teilweise erstattet', checkout)
      await after(['dispute'], 'Diese Zahlung wird geprüft', checkout)
      await after(['lose-dispute'], 'Ihre Bank hat diese Zahlung zurückgebucht', checkout)
      await after(['pay', 'refund'], 'Ihre Zahlung wurde erstattet', await session())
      await after(['fail'], 'Die Zahlung ist fehlgeschlagen', await session())
      await after(['expire'], 'Diese Zahlungsseite ist nicht mehr offen', await session())
      await page.goto(`${sandbox.url}/c/cs_test_nothing`)
      await seen('unknown', 'Wir haben diese Zahlungsseite nicht gefunden')

      const opening = await makeAccount(sandbox, { ...german, onboarded: false })
      const link = await sandbox.stripe.accountLinks.create({
        account: opening,
        type: 'account_onboarding',
        refresh_url: 'https://practice.example/refresh',
        return_url: 'https://practice.example/onboarded',
      })
      await page.goto(link.url)
      await seen('onboarding', `Zahlungen einrichten für ${practice}`)
      await page.getByRole('button', { name: 'Bestätigen und abschließen' }).click()
      await page.getByRole('alert').waitFor()
      await seen('onboarding-errors', `Zahlungen einrichten für ${practice}`)
      const setup = page.url()
      for (const [action, heading] of [
        ['complete', 'Ihre Praxis kann Zahlungen annehmen'],
        ['reject', 'Dieses Konto kann keine Zahlungen annehmen'],
      ] as const) {
        await sandbox.control(`accounts/${opening}/${action}`)
        await page.goto(setup)
        await seen(`onboarding-${action}`, heading)
      }
      await page.goto(`${sandbox.url}/o/nothing`)
      await seen('onboarding-unknown', 'Wir haben diese Einrichtungsseite nicht gefunden')
    } finally {
      await browser.close()
    }
  },
)

test.skipIf(executable === undefined).each([
  ['fr-FR', 'fr', 'Rien n’a été débité.', 'Confirmer et terminer', 'Confirmez que les informations sont exactes.'],
  [
    'nl-NL',
    'nl',
    'Er is niets van uw rekening afgeschreven.',
    'Bevestigen en afronden',
    'Bevestig dat de gegevens kloppen.',
  ],
] as const)(
  'a checkout and an onboarding are usable in %s, on a light phone and on a dark desk',
  { timeout: 120_000 },
  async (locale, language, notCharged, finish, fault) => {
    const browser = await launchChromium(executable ?? '')
    try {
      const { page } = await openPage(browser, 390, { locale })
      const seen = async (name: string, words: string) => {
        expect(await page.locator('html').getAttribute('lang')).toBe(locale)
        expect(await page.locator('main').textContent()).toContain(words)
        for (const width of [390, 1280]) {
          await resize(page, width)
          await expectUsable(page)
          await keepScreenshot(page, `${language}-${name}-${width}`)
        }
      }
      const checkout = await session()
      await act(checkout, 'decline')
      await page.goto(checkout.url ?? '')
      await seen('declined', notCharged)

      const link = await sandbox.stripe.accountLinks.create({
        account: await makeAccount(sandbox, { ...german, onboarded: false }),
        type: 'account_onboarding',
        refresh_url: 'https://practice.example/refresh',
        return_url: 'https://practice.example/onboarded',
      })
      await page.goto(link.url)
      await page.getByRole('button', { name: finish }).click()
      await page.getByRole('alert').waitFor()
      await seen('onboarding-errors', fault)
    } finally {
      await browser.close()
    }
  },
)
