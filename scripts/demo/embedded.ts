import type { Development } from './development.ts'
import { deleteSite, onboard, openSite } from './joining.ts'
import type { Narrator } from './narrator.ts'
import { openPracticeSite } from './practice-site.ts'

/** Lets a practice join, and serves its web page with the checkout in it, for a person to pay at, until `stop`. */
export async function showEmbedded(development: Development, narrator: Narrator, stop: Promise<void>): Promise<void> {
  narrator.chapter('A practice joins')
  const site = await openSite(development, narrator)
  try {
    await onboard(development, narrator, site)
    await using practice = await openPracticeSite({ ...development, site })
    narrator.chapter(`Its page, with the checkout in it, is at ${practice.url}`)
    narrator.detail('Each visit makes a payment. Ctrl-C ends it.')
    await stop
  } finally {
    await deleteSite(development, narrator, site)
  }
}
