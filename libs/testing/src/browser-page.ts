import { readFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { expect } from 'vitest'

const screenshots = resolve(import.meta.dirname, '../../../.frontdesk/screenshots')

/** Opens a page of `width` pixels and collects the messages of its console. By default no scripts run in it. */
export async function openPage(
  browser: Browser,
  width: number,
  { scripts = false } = {},
): Promise<{ page: Page; complaints: string[] }> {
  const height = width < 600 ? 844 : 800
  const context = await browser.newContext({ viewport: { width, height }, javaScriptEnabled: scripts })
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('console', (message) => complaints.push(message.text()))
  page.on('pageerror', (error) => complaints.push(error.message))
  return { page, complaints }
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

/** Expects large targets, enough contrast, and a page that is no wider than the screen. */
export async function expectUsable(page: Page): Promise<void> {
  expect(await probe(page, 'smallTargets')).toEqual([])
  expect(await probe(page, 'faintTexts')).toEqual([])
  expect(await probe(page, 'sidewaysOverflow')).toBe(0)
}

const probes = readFileSync(new URL('./page-probes.mjs', import.meta.url), 'utf8').replaceAll(
  'export function',
  'function',
)

/** Runs a function of `page-probes.mjs` in the page. */
function probe<Answer>(page: Page, name: string): Promise<Answer> {
  return page.evaluate<Answer>(`(() => { ${probes}; return ${name}() })()`)
}
