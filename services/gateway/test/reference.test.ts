import { operations, publicEventTypes } from '@frontdesk/contracts'
import { findChromium, launchChromium } from '@frontdesk/testing/chromium'
import { describe, expect, test } from 'vitest'
import { openGateway } from './gateway-fixture.ts'

const executable = findChromium()

describe.skipIf(executable === undefined)('the reference in Chromium', () => {
  test('shows every operation and webhook, and sends requests to the gateway only', { timeout: 60_000 }, async () => {
    await using gateway = await openGateway()
    const browser = await launchChromium(executable ?? '')
    try {
      const page = await browser.newPage()
      const asked: string[] = []
      const complaints: string[] = []
      page.on('request', (request) => asked.push(new URL(request.url()).origin))
      page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
      page.on('pageerror', (error) => complaints.push(error.message))
      await page.goto(`${gateway.url}/docs`)
      await page.locator('.opblock').first().waitFor()

      const shown = await page.locator('.opblock').count()
      expect(shown).toBe(Object.keys(operations).length + publicEventTypes.length)
      await page.locator('#operations-Payments-createPayment').click()
      await page.getByText('HARBOUR ST DENTAL').first().waitFor()
      expect(new Set(asked.filter((origin) => origin !== 'null'))).toEqual(new Set([new URL(gateway.url).origin]))
      expect(complaints).toEqual([])
    } finally {
      await browser.close()
    }
  })
})
