import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { readFile } from 'node:fs/promises'
import type { FrontdeskClient, PaymentRecord } from '#client'

export interface PracticeSite extends AsyncDisposable {
  /** Address of its page. */
  url: string
}

export interface PracticeSiteOptions {
  frontdesk: FrontdeskClient
  /** Slug of the site that is paid. */
  site: string
  /** Base URL of the sandbox, which serves the checkout's script. */
  sandbox: string
  /** The page to serve. Default: `practice-page.html` beside this file. */
  page?: string
}

/**
 * Serves a practice's web site as an integrator would write it. Its server creates a payment for the page's checkout, and
 * the page asks that server how the payment ended.
 */
export async function openPracticeSite({ frontdesk, site, sandbox, page }: PracticeSiteOptions): Promise<PracticeSite> {
  const shown = page ?? (await practicePage(sandbox))
  const server = createServer((request, response) => {
    answer(request).then(
      ({ status = 200, type = 'application/json', body }) =>
        response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' }).end(body),
      (error: Error) => response.writeHead(500, { 'content-type': 'text/plain' }).end(error.message),
    )
  })

  async function answer({ method, url }: IncomingMessage): Promise<{ status?: number; type?: string; body: string }> {
    const path = url?.split('?', 1)[0] ?? ''
    const paymentId = /^\/payments\/([0-9a-f-]{36})$/.exec(path)?.[1]
    if (method === 'GET' && path === '/') return { type: 'text/html; charset=utf-8', body: shown }
    if (method === 'POST' && path === '/payments') return { body: JSON.stringify(forThePage(await createPayment())) }
    if (method === 'GET' && paymentId !== undefined) {
      const { History } = await frontdesk.payments.get({ SiteSlug: site, PaymentIdentifier: paymentId })
      return { body: JSON.stringify({ status: History.at(-1)?.Status }) }
    }
    return { status: 404, type: 'text/plain', body: 'There is nothing here.' }
  }

  /** The server sets the amount: an amount from the page could be forged. */
  function createPayment(): Promise<PaymentRecord> {
    return frontdesk.payments.create({
      SiteSlug: site,
      body: {
        PaymentProvider: 'Sandbox',
        UiMode: 'Embedded',
        Currency: 'GBP',
        Reference: 'INV-2001',
        LineItems: [
          { ProductName: 'Check-up', Price: 4_500 },
          { ProductName: 'Fluoride varnish', Price: 1_250, Quantity: 2 },
        ],
      },
    })
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function forThePage({ RecordId, ClientSecret, PublishableKey, ProviderAccountId }: PaymentRecord): object {
  return {
    recordId: RecordId,
    clientSecret: ClientSecret,
    publishableKey: PublishableKey,
    providerAccountId: ProviderAccountId,
  }
}

async function practicePage(sandbox: string): Promise<string> {
  const page = await readFile(new URL('./practice-page.html', import.meta.url), 'utf8')
  return page.replace('https://js.stripe.com/endive/stripe.js', `${sandbox}/stripe.js`)
}
