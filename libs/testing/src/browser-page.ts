import { readFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { expect } from 'vitest'

const screenshots = resolve(import.meta.dirname, '../../../.frontdesk/screenshots')

const scriptless = new WeakSet<Page>()

/**
 * Opens a page of `width` pixels and collects the messages of its console. By default no scripts run in it, and its browser asks
 * for US English; `locale` is another BCP 47 tag.
 */
export async function openPage(
  browser: Browser,
  width: number,
  { scripts = false, locale = 'en-US' } = {},
): Promise<{ page: Page; complaints: string[] }> {
  const context = await browser.newContext({ javaScriptEnabled: scripts, locale })
  const page = await context.newPage()
  await resize(page, width)
  if (!scripts) scriptless.add(page)
  const complaints: string[] = []
  page.on('console', (message) => complaints.push(message.text()))
  page.on('pageerror', (error) => complaints.push(error.message))
  return { page, complaints }
}

/**
 * Shows a page on a phone or on a desk. The phone likes light colours and the desk dark ones, so that a page which is looked at on
 * both is looked at in both, at the cost of one.
 */
export async function resize(page: Page, width: number): Promise<void> {
  const isPhone = width < 600
  await page.setViewportSize({ width, height: isPhone ? 844 : 800 })
  await page.emulateMedia({ colorScheme: isPhone ? 'light' : 'dark' })
}

/** Saves a picture of the whole page in `.frontdesk/screenshots`, for a person to look at. */
export async function keepScreenshot(page: Page, name: string): Promise<void> {
  await mkdir(screenshots, { recursive: true })
  await page.screenshot({ path: join(screenshots, `${name}.png`), fullPage: true })
}

/** Presses Tab until nothing new gets the focus. Returns the elements that had it, by text or label. */
export async function focusOrder(page: Page): Promise<string[]> {
  const order: string[] = []
  for (;;) {
    await page.keyboard.press('Tab')
    const name = await probe<string>(page, 'focusedName')
    if (name === '' || order.includes(name)) return order
    order.push(name)
  }
}

/** Expects large targets, enough contrast, nothing wider than the screen or its card, and nothing that axe finds fault with. */
export async function expectUsable(page: Page): Promise<void> {
  expect(await probe(page, 'smallTargets')).toEqual([])
  expect(await probe(page, 'faintTexts')).toEqual([])
  expect(await probe(page, 'sidewaysOverflow')).toBe(0)
  expect(await probe(page, 'spills')).toEqual([])
  expect(await axeViolations(page)).toEqual([])
}

interface AxeResults {
  violations: Array<{ id: string; nodes: Array<{ target: unknown; failureSummary?: string }> }>
}

/** Returns what axe-core finds wrong in a page, frames included: rule, element and reason. All of its rules are on. */
async function axeViolations(page: Page): Promise<string[]> {
  const found: string[] = []
  for (const frame of page.frames()) {
    if (scriptless.has(page)) await frame.evaluate(timersWithoutTime)
    if (!(await frame.evaluate<boolean>('"axe" in window'))) await frame.evaluate(axe)
    const { violations } = await frame.evaluate<AxeResults>(runAxe)
    for (const { id, nodes } of violations)
      found.push(...nodes.map(({ target, failureSummary }) => `${id} ${String(target)}: ${failureSummary ?? ''}`))
  }
  return found
}

// axe gives way to the page with timers, which never run where scripts are switched off. Promises do.
const timersWithoutTime = `
  window.setTimeout = (callback, _delay, ...parts) => {
    void Promise.resolve().then(() => callback(...parts))
    return 0
  }
  undefined`
// Without `preload` no style sheet is fetched a second time, which the pages' policy would refuse.
const runAxe = `axe.run(document, { iframes: false, preload: false, resultTypes: ['violations'] })`
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

const probes = readFileSync(new URL('./page-probes.mjs', import.meta.url), 'utf8').replaceAll(
  'export function',
  'function',
)

/** Runs a function of `page-probes.mjs` in the page. */
function probe<Answer>(page: Page, name: string): Promise<Answer> {
  return page.evaluate<Answer>(`(() => { ${probes}; return ${name}() })()`)
}
