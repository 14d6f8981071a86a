import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { resolve } from 'node:path'
import { catalogue, explanations, problemType, type ProblemCode } from '@frontdesk/problems'
import { findChromium, launchChromium } from '@frontdesk/testing/chromium'
import { eventually } from '@frontdesk/testing/eventually'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openGateway, type Gateway } from './gateway-fixture.ts'

const DOCS_FOLDER = resolve(import.meta.dirname, '../../../node_modules/.cache/frontdesk/site')
const executable = findChromium()

/** A function of the page: returns the rules of axe that it breaks, each with its element, and whether it is wider than the screen. */
const violations = `async () => {
  const { violations } = await axe.run({ resultTypes: ['violations'] })
  const isWide = document.documentElement.scrollWidth > innerWidth
  return [
    ...violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ' ' + html.slice(0, 200))),
    ...(isWide ? ['is wider than the screen'] : []),
  ]
}`
/** Printed pages repeat one markup hundreds of times. The beginning of a long page stands for the rest. */
const shorten = `[...document.querySelectorAll('.vp-doc > div > *')].slice(40).forEach((element) => element.remove())`
const shownTitle = `document.querySelector('.vp-doc h1')?.textContent`

let gateway: Gateway
beforeAll(async () => {
  gateway = await openGateway({ env: { DOCS_FOLDER } })
})
afterAll(() => gateway?.[Symbol.asyncDispose]())

/** The addresses of all pages, from the menu of the first one. Without a site, run `npm run docs`. */
async function pages(): Promise<string[]> {
  const { status, text } = await gateway.call('/docs/')
  expect(status).toBe(200)
  const found = new Set([...text.matchAll(/href="(\/docs\/[^"#.]*)"/g)].map(([, address = '']) => address))
  expect(found.size).toBeGreaterThan(20)
  return [...found]
}

describe('the documentation at /docs/', () => {
  test('may load from, call and send to its own host only, and runs no inline script', async () => {
    expect((await gateway.call('/docs')).headers['location']).toBe('/docs/')
    for (const address of await pages()) {
      const { status, headers, text } = await gateway.call(address)
      expect([address, status, headers['content-type']]).toEqual([address, 200, 'text/html; charset=utf-8'])
      const directives = String(headers['content-security-policy']).split('; ')
      expect(directives).toContain("default-src 'none'")
      expect(directives).toContain("script-src 'self'")
      expect(directives).toContain("connect-src 'self'")
      expect(text).not.toMatch(/<script(?![^>]*\ssrc=)[^>]*>[^<]|\son\w+="/)
      expect(text).not.toMatch(/<(?:script|img|iframe)[^>]*\ssrc="(?!\/docs\/)|<link[^>]*\shref="(?!\/docs\/|data:)/)
    }
  })

  test('is where the documents of the API say that their website is', async () => {
    const { json } = await gateway.call('/openapi.json')
    for (const address of [
      json.info.contact.url,
      json.externalDocs.url,
      (await gateway.call('/')).json.documentation,
    ]) {
      expect(address).toBe(`${gateway.publicUrl}/docs/`)
    }
  })

  test('answers an unknown address with a page to a person, and a problem to a program', async () => {
    const person = await gateway.call('/docs/no-such-page', { headers: { accept: 'text/html,*/*' } })
    expect([person.status, person.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8'])
    expect((await gateway.call('/docs/no-such-page')).json.code).toBe('route_not_found')
    expect((await gateway.call('/docs/..%2f..%2fpackage.json')).status).toBe(404)
  })

  test('has a section about every code, at the address that the type of its problem names', async () => {
    const { json } = await gateway.call('/api/v1/nothing')
    const { text } = await gateway.call('/docs/errors')
    for (const type of [json.type as string, ...(Object.keys(catalogue) as ProblemCode[]).map(problemType)]) {
      const { pathname, hash, host } = new URL(type, `${gateway.url}/api/v1/nothing`)
      if (host === 'iana.org') continue
      expect([type, pathname, text.includes(`id="${hash.slice(1)}"`)]).toEqual([type, '/docs/errors', true])
    }
    for (const code of Object.keys(explanations)) expect(text).toContain(`id="${code}"`)
  })

  test('says how to build it where it was not built', async () => {
    await using bare = await openGateway({ env: { DOCS_FOLDER: '/nonexistent' } })
    const { status, text } = await bare.call('/docs/errors')
    expect([status, text.includes('npm run docs')]).toEqual([200, true])
  })
})

describe.skipIf(executable === undefined)('the documentation in Chromium', () => {
  const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
  let browser: Browser
  beforeAll(async () => {
    browser = await launchChromium(executable ?? '')
  })
  afterAll(() => browser?.close())

  /** Shows a page on a desk in light colours, or on a phone in dark ones: each page is seen in both, at the cost of one. */
  async function show(page: Page, width: number): Promise<void> {
    await page.setViewportSize({ width, height: 800 })
    await page.emulateMedia({ colorScheme: width < 600 ? 'dark' : 'light' })
    await page.locator(width < 600 ? 'html.dark' : 'html:not(.dark)').waitFor({ state: 'attached' })
  }

  async function faultsOf(page: Page, name: string): Promise<string[]> {
    const broken = await page.evaluate<string[]>(`(${violations})()`)
    return broken.map((fault) => `${name}: ${fault}`)
  }

  test('breaks no rule of axe and fits a dark phone and a light desk', { timeout: 300_000 }, async () => {
    const page = await browser.newPage({ reducedMotion: 'reduce' })
    const asked = new Set<string>()
    const faults: string[] = []
    page.on('request', (request) => asked.add(new URL(request.url()).origin))
    page.on('console', (message) => message.type() === 'error' && faults.push(`console: ${message.text()}`))
    page.on('pageerror', (error) => faults.push(`error: ${error.message}`))
    await page.goto(`${gateway.url}/docs/`)
    await page.evaluate(axe)
    let title = ''
    for (const address of await pages()) {
      await show(page, 1280)
      // By the menu, as a reader does: the page is not loaded again, which takes most of the time.
      await page.locator(`.VPSidebar a[href="${address}"]`).click()
      const before = title
      await eventually(
        async () => {
          title = await page.evaluate<string>(shownTitle)
          expect(title).not.toBe(before)
        },
        { within: 30_000, every: 20 },
      )
      await page.evaluate(shorten)
      for (const width of [1280, 390]) {
        await show(page, width)
        faults.push(...(await faultsOf(page, `${address} at ${width} px`)))
      }
    }
    expect(faults).toEqual([])
    expect([...asked].filter((origin) => origin !== 'null')).toEqual([new URL(gateway.url).origin])
  })

  test('is searched without a server, by a dialog that everybody can use', { timeout: 120_000 }, async () => {
    const page = await browser.newPage({ reducedMotion: 'reduce' })
    await page.goto(`${gateway.url}/docs/`)
    await page.evaluate(axe)
    await page.keyboard.press('Control+k')
    await page.keyboard.type('refund_too_large')
    await page.locator('.results a[href$="/docs/errors#refund_too_large"]').waitFor()
    const faults: string[] = []
    for (const width of [1280, 390]) {
      await show(page, width)
      faults.push(...(await faultsOf(page, `the search at ${width} px`)))
    }
    expect(faults).toEqual([])
  })

  test('is usable with its menu and its outline open, and where a page is missing', { timeout: 120_000 }, async () => {
    const page = await browser.newPage({ reducedMotion: 'reduce' })
    const faults: string[] = []
    for (const opener of ['.VPLocalNav .menu', '.VPLocalNavOutlineDropdown button']) {
      await page.goto(`${gateway.url}/docs/versioning`)
      await page.evaluate(axe)
      await show(page, 390)
      await page.locator(opener).click()
      faults.push(...(await faultsOf(page, `${opener}, dark`)))
      await page.emulateMedia({ colorScheme: 'light' })
      await page.locator('html:not(.dark)').waitFor({ state: 'attached' })
      faults.push(...(await faultsOf(page, `${opener}, light`)))
    }
    await using bare = await openGateway({ env: { DOCS_FOLDER: '/nonexistent' } })
    for (const address of [`${gateway.url}/docs/no-such-page`, `${bare.url}/docs/`]) {
      await page.goto(address)
      await page.evaluate(axe)
      for (const width of [1280, 390]) {
        await page.setViewportSize({ width, height: 800 })
        faults.push(...(await faultsOf(page, `${address} at ${width} px`)))
      }
    }
    expect(faults).toEqual([])
  })
})
