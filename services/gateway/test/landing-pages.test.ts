import type { SiteAccess } from '@frontdesk/contracts'
import { problem } from '@frontdesk/problems'
import { expectUsable, keepScreenshot, openPage, resize } from '@frontdesk/testing/browser-page'
import { findChromium, launchChromium } from '@frontdesk/testing/chromium'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { openGateway, site, type Gateway } from './gateway-fixture.ts'

const executable = findChromium()
const practice: SiteAccess = { ...site, country: 'NZ' }
const german: SiteAccess = { ...site, slug: 'sGerman12345', name: 'Zahnarztpraxis am Hafen', country: 'DE' }
const payment = {
  siteSlug: practice.slug,
  status: 'Completed',
  amount: 12_372_648,
  currency: 'NZD',
  refundedAmount: 0,
  reference: 'INV-1001',
  paidAt: '2026-11-22T15:05:00.000Z',
}
const onboarding = { siteSlug: practice.slug, status: 'Active', returnUrl: 'https://pms.example/settings?tab=payments' }

let gateway: Gateway
beforeAll(async () => {
  gateway = await openGateway()
  for (const each of [practice, german]) gateway.upstreams.registry.sites.set(each.slug, each)
})
afterAll(() => gateway[Symbol.asyncDispose]())
afterEach(() => {
  for (const upstream of Object.values(gateway.upstreams)) upstream.answer(undefined)
})

let visits = 0
/** Returns an address that no other test has opened: each one may be opened a few times a minute. */
const address = (path: string) => path.replace('TOKEN', `token${++visits}.signature`)
const plain = (html: string) =>
  html
    .replaceAll(/<style>[^]*<\/style>|<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ (?=[.,])/g, '')

async function read(path: string, language?: string) {
  const headers = language === undefined ? {} : { 'accept-language': language }
  const answer = await gateway.call(address(path), { headers })
  return { ...answer, words: plain(answer.text), lang: /<html lang="([^"]+)"/.exec(answer.text)?.[1] }
}

/** Has payments or accounts answer, and reads the page after a checkout or an onboarding. */
function readCheckout(changes: object, language?: string) {
  gateway.upstreams.payments.answer(() => ({ ...payment, ...changes }))
  return read('/checkout/done/TOKEN', language)
}
function readOnboarding(changes: object, language?: string) {
  gateway.upstreams.accounts.answer(() => ({ ...onboarding, ...changes }))
  return read('/onboarding/TOKEN/done', language)
}
const fails =
  (
    code: 'payment_not_found' | 'onboarding_link_invalid' | 'rate_limited' | 'route_not_found' | 'service_unavailable',
  ) =>
  () => {
    throw problem(code, { retryAfter: 5 })
  }

describe('after a checkout', () => {
  test('the page says practice, amount, reference, time and what happens next', async () => {
    const { status, words, lang } = await readCheckout({})
    expect([status, lang]).toEqual([200, 'en-NZ'])
    expect(words).toContain('Thank you. You paid $123,726.48 to Harbour Street Dental.')
    expect(words).toContain('There is nothing more to do. You can close this page.')
    expect(words).toContain(
      'Practice Harbour Street Dental Amount $123,726.48 Reference INV-1001 Paid 23 November 2026',
    )
    expect(gateway.upstreams.payments.requests.at(-1)?.url).toMatch(/^\/internal\/checkouts\/token\d+\.signature$/)
  })

  test('texts follow the browser, amounts and times the country of the practice', async () => {
    const inGermany = { siteSlug: german.slug, currency: 'EUR' }
    const local = await readCheckout(inGermany, 'de-DE,de;q=0.9,en;q=0.8')
    expect(local.lang).toBe('de-DE')
    expect(local.words).toContain('Sie haben 123.726,48 € an Zahnarztpraxis am Hafen bezahlt.')
    expect(local.words).toContain('Bezahlt 22. November 2026 um 16:05 MEZ')
    const visitor = await readCheckout(inGermany, 'en-GB,en;q=0.9')
    expect(visitor.lang).toBe('en-GB')
    expect(visitor.words).toContain('You paid €123,726.48 to Zahnarztpraxis am Hafen.')
    expect((await readCheckout(inGermany, 'fr')).words).toContain('Vous avez payé 123 726,48 € à Zahnarztpraxis')
    expect((await readCheckout(inGermany, 'nl-NL')).words).toContain('U hebt € 123.726,48 betaald aan Zahnarztpraxis')
    expect((await readCheckout({ currency: 'JPY' }, 'en')).words).toContain('You paid JP¥12,372,648 to')
    expect((await readCheckout({ currency: 'HUF' }, 'en')).words).toContain('HUF 123,726.48 to')
  })

  test.for([
    ['Pending', {}, 'We are waiting for your payment'],
    ['Processing', {}, 'Your payment is on its way'],
    ['Failed', {}, 'The payment did not go through'],
    ['Cancelled', {}, 'This payment was cancelled'],
    ['PartiallyRefunded', { refundedAmount: 5_000 }, '$50.00 of the $123,726.48'],
    ['Refunded', { refundedAmount: 12_372_648 }, 'Your payment was refunded'],
    ['Disputed', {}, 'This payment is disputed'],
    ['ChargedBack', {}, 'Your bank has reversed this payment'],
  ] as const)('a payment that is %s is not said to be paid', async ([status, changes, words]) => {
    const page = await readCheckout({ ...changes, status })
    expect(page.words).toContain(words)
    expect(page.words).not.toContain('Thank you')
  })

  test('without payments or registry, and for a status of a later release, the page says what it can', async () => {
    expect((await readCheckout({ siteSlug: 'sGone1234567' })).words).toContain(
      'You paid NZ$123,726.48 to your practice.',
    )
    expect((await readCheckout({ status: 'Thrown' })).words).toContain('Your payment is on its way to the practice')
    gateway.upstreams.payments.answer(fails('service_unavailable'))
    const away = await read('/checkout/done/TOKEN', 'de')
    // As an earlier release of payments answers.
    gateway.upstreams.payments.answer(fails('route_not_found'))
    expect((await read('/checkout/done/TOKEN')).words).toContain('Your payment is on its way to the practice')
    expect([away.status, away.lang]).toEqual([200, 'de'])
    expect(away.words).toContain('Ihre Zahlung ist unterwegs zur Praxis.')
  })

  test('an address that we did not sign shows no payment', async () => {
    gateway.upstreams.payments.answer(fails('payment_not_found'))
    const page = await read('/checkout/done/TOKEN')
    expect(page.status).toBe(404)
    expect(page.words).toContain('We could not find this payment')
  })

  test('an address is read a few times a minute', async () => {
    gateway.upstreams.payments.answer(() => payment)
    const again = address('/checkout/done/TOKEN')
    const statuses = await Promise.all(Array.from({ length: 21 }, async () => (await gateway.call(again)).status))
    expect(statuses.toSorted((one, other) => one - other)).toEqual([...Array.from({ length: 20 }, () => 200), 429])
  })
})

describe('after onboarding', () => {
  test.for([
    ['None', 'You have not finished yet', true],
    ['ActionRequired', 'You have not finished yet', true],
    ['Pending', 'Your details are being checked', false],
    ['Active', 'Your practice can take payments', false],
    ['Restricted', 'The payment provider needs more details', true],
    ['Disabled', 'This account is switched off', false],
    ['Rejected', 'This account cannot take payments', false],
  ] as const)('an account that is %s: %s', async ([status, heading, goesOn]) => {
    const { text } = await readOnboarding({ status })
    expect(text).toMatch(new RegExp(`<h1 id="heading" ?>${heading}</h1>`))
    expect(text).toContain('Harbour Street Dental')
    expect(/href="(\/onboarding\/token\d+\.signature)"/.test(text)).toBe(goesOn)
    expect(text).toMatch(/href="https:\/\/pms\.example\/settings\?tab=payments"\s*>\s*Back to your practice software/)
  })

  test('without a return address there is no link back', async () => {
    expect((await readOnboarding({ returnUrl: undefined })).text).not.toContain('href=')
  })

  test('without accounts the page says that it takes a while, in the language of the browser', async () => {
    gateway.upstreams.accounts.answer(fails('service_unavailable'))
    const { status, words } = await read('/onboarding/TOKEN/done', 'nl')
    expect(status).toBe(200)
    expect(words).toContain('De betaalprovider heeft uw gegevens.')
  })
})

describe('an onboarding link', () => {
  test('redirects to a new link of the provider', async () => {
    gateway.upstreams.accounts.answer(() => ({ url: 'https://provider.example/onboard/abc?x=1' }))
    const answer = await gateway.call('/onboarding/tok.en_-')
    expect(answer).toMatchObject({
      status: 302,
      headers: {
        location: 'https://provider.example/onboard/abc?x=1',
        'cache-control': 'no-store',
        'referrer-policy': 'no-referrer',
      },
    })
    expect(gateway.upstreams.accounts.requests.at(-1)).toMatchObject({
      method: 'POST',
      url: '/internal/onboarding/tok.en_-',
    })
  })

  test('that has expired, or whose provider is away, shows a page with the reason', async () => {
    gateway.upstreams.accounts.answer(fails('onboarding_link_invalid'))
    const invalid = await read('/onboarding/TOKEN', 'de-AT')
    expect(invalid).toMatchObject({
      status: 404,
      headers: { 'content-type': 'text/html; charset=utf-8' },
      lang: 'de-AT',
    })
    expect(invalid.words).toContain('Dieser Link funktioniert nicht mehr')
    gateway.upstreams.accounts.answer(fails('service_unavailable'))
    const away = await read('/onboarding/TOKEN')
    expect(away).toMatchObject({ status: 503, headers: { 'content-type': 'text/html; charset=utf-8' } })
    expect(away.headers).toHaveProperty('retry-after')
    expect(away.words).toContain('in a few minutes')
  })

  test.for(['/onboarding/done', '/checkout/done'])(
    'of an earlier release leads to %s, which loads nothing',
    async (path) => {
      const { status, headers, text } = await gateway.call(path)
      expect(status).toBe(200)
      expect(headers).toMatchObject({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' })
      expect(headers['content-security-policy']).toMatch(/^default-src 'none'; style-src 'sha256-/)
      expect(text).toMatch(/<html lang="en">[^]*name="viewport"[^]*<main>[^]*<h1 id="heading" ?>Thank you</)
      expect(text).not.toMatch(/<script|src=|href=/)
    },
  )
})

describe.skipIf(executable === undefined)('in Chromium', () => {
  const paid = (changes: object) => () => ({ ...payment, ...changes })
  const onboarded = (status: string) => () => ({ ...onboarding, status })
  const checkout = '/checkout/done/TOKEN'
  const states: Array<[name: string, path: string, answer: () => unknown]> = [
    ...['Pending', 'Processing', 'Completed', 'Failed', 'Cancelled', 'Disputed', 'ChargedBack', 'Later'].map(
      (status): [string, string, () => unknown] => [status, checkout, paid({ status })],
    ),
    ['PartiallyRefunded', checkout, paid({ status: 'PartiallyRefunded', refundedAmount: 5_000 })],
    ['Refunded', checkout, paid({ status: 'Refunded', refundedAmount: payment.amount })],
    ['missing', checkout, fails('payment_not_found')],
    ...['None', 'Pending', 'Active', 'Restricted', 'Disabled', 'Rejected', 'Later'].map(
      (status): [string, string, () => unknown] => [`account-${status}`, '/onboarding/TOKEN/done', onboarded(status)],
    ),
    ['link-invalid', '/onboarding/TOKEN', fails('onboarding_link_invalid')],
    ['link-away', '/onboarding/TOKEN', fails('service_unavailable')],
    ['link-too-often', '/onboarding/TOKEN', fails('rate_limited')],
    ['plain-checkout', '/checkout/done', () => undefined],
  ]
  const some = ['PartiallyRefunded', 'account-Restricted']

  test.for([
    ['en-NZ', states],
    ['de-DE', states],
    ['fr-FR', states.filter(([name]) => some.includes(name))],
    ['nl-NL', states.filter(([name]) => some.includes(name))],
  ] as const)(
    'every page is usable and axe finds no fault, on a light phone and on a dark desk, in %s',
    { timeout: 120_000 },
    async ([locale, shown]) => {
      const browser = await launchChromium(executable ?? '')
      try {
        const { page, complaints } = await openPage(browser, 390, { locale })
        for (const [name, path, answer] of shown) {
          gateway.upstreams.payments.answer(answer)
          gateway.upstreams.accounts.answer(answer)
          await page.goto(`${gateway.url}${address(path)}`)
          expect(await page.locator('html').getAttribute('lang')).toBe(locale)
          for (const width of [390, 1280]) {
            await resize(page, width)
            await expectUsable(page)
            // One picture of each state in each language.
            if ((locale === 'en-NZ') === (width === 1280))
              await keepScreenshot(page, `landing-${name}-${locale}-${width}`)
          }
        }
        // Chromium reports the 404 and the 503.
        expect(complaints.filter((line) => !line.includes('the server responded with a status of'))).toEqual([])
      } finally {
        await browser.close()
      }
    },
  )
})
