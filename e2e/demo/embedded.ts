import type { Demo } from './narrator.ts'
import { openPracticeSite } from './practice-site.ts'
import { deleteSite, onboard, openSite } from './site.ts'

/** Onboards a practice, and serves its web page with the checkout in it until `stop`, for a person to pay at. */
export async function showEmbedded(demo: Demo, stop: Promise<void>): Promise<void> {
  const { narrator } = demo
  narrator.chapter('A practice joins')
  const site = await openSite(demo)
  try {
    await onboard(demo, site)
    await using practice = await openPracticeSite({ frontdesk: demo.frontdesk, sandbox: demo.provider.url, site })
    narrator.chapter(`Its page, with the checkout in it, is at ${practice.url}`)
    narrator.detail('Each visit creates a payment. Ctrl-C stops the demo.')
    await stop
  } finally {
    await deleteSite(demo, site)
  }
}
