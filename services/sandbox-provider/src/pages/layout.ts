import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { html, type Html } from '@frontdesk/pages/html'
import type { Voice } from '@frontdesk/pages/language'
import { designStyles, messageCard, type Message } from '@frontdesk/pages/message'
import { texts } from '@frontdesk/pages/texts'

const ownStyles = ['checkout', 'onboarding', 'inbox'].map((name) =>
  readFileSync(new URL(`./styles/${name}.css`, import.meta.url), 'utf8'),
)
const stylesheet = [designStyles, ...ownStyles].join('\n')
const icon = readFileSync(new URL('./icon.svg', import.meta.url), 'utf8')
const framedScript = readFileSync(new URL('./scripts/framed.js', import.meta.url), 'utf8')
const mountingScript = readFileSync(new URL('./scripts/stripe.js', import.meta.url), 'utf8')
const inboxScript = readFileSync(new URL('./scripts/inbox.js', import.meta.url), 'utf8')
const versionOf = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 10)
const stylesheetVersion = versionOf(stylesheet)
const framedScriptVersion = versionOf(framedScript)
const inboxScriptVersion = versionOf(inboxScript)

export interface Page {
  status?: number
  /** a screen reader says it first */
  title: string
  voice: Voice
  body: Html
  /** whether other sites may show it in a frame */
  framed?: boolean
  /** whether it is an inbox, which shows new webhooks by itself */
  live?: boolean
  /** whether an embedded checkout is complete; its frame then tells the page around it */
  complete?: boolean
}

/**
 * Serves the stylesheet, the icon and the scripts of framed pages and inboxes, which is all that the pages load, and `/stripe.js` for
 * other sites.
 */
export function assetRoutes(app: FastifyInstance): void {
  const unchanging = { 'cache-control': 'public, max-age=31536000, immutable' }
  const javaScript = 'text/javascript; charset=utf-8'
  app.get('/assets/pages.css', async (_request, reply) =>
    reply.type('text/css; charset=utf-8').headers(unchanging).send(stylesheet),
  )
  app.get('/assets/framed.js', async (_request, reply) => reply.type(javaScript).headers(unchanging).send(framedScript))
  app.get('/assets/inbox.js', async (_request, reply) => reply.type(javaScript).headers(unchanging).send(inboxScript))
  app.get('/stripe.js', async (_request, reply) =>
    reply.type(javaScript).header('cache-control', 'no-cache').send(mountingScript),
  )
  app.get('/assets/icon.svg', async (_request, reply) =>
    reply.type('image/svg+xml').header('cache-control', 'public, max-age=86400').send(icon),
  )
}

/** Sends a page with strict security headers. */
export function sendPage(reply: FastifyReply, page: Page): FastifyReply {
  return (
    reply
      .code(page.status ?? 200)
      .type('text/html; charset=utf-8')
      .header('content-security-policy', contentSecurityPolicy(page))
      // Not `no-referrer`: with it the forms of these pages have no origin.
      .header('referrer-policy', 'same-origin')
      .header('x-content-type-options', 'nosniff')
      .header('cache-control', 'no-store')
      .send(document(page).markup)
  )
}

function contentSecurityPolicy({ framed = false, live = false }: Page): string {
  return [
    "default-src 'none'",
    // Pages work without scripts. A framed one has a script that talks to the page around it.
    ...(framed || live ? ["script-src 'self'"] : []),
    ...(live ? ["connect-src 'self'"] : []),
    "style-src 'self'",
    "img-src 'self'",
    // Paying ends in a redirect to the practice's address, and Chromium checks a form's whole chain of redirects against
    // this list. Allowing any address is safe: all forms are ours, and all values in them are escaped.
    "form-action 'self' http: https:",
    "base-uri 'none'",
    framed ? 'frame-ancestors http: https:' : "frame-ancestors 'none'",
  ].join('; ')
}

function document({ title, voice, body, framed, live, complete }: Page): Html {
  return html`<!doctype html>
    <html lang="${voice.locale}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>${title}</title>
        <link rel="icon" href="/assets/icon.svg" type="image/svg+xml" />
        <link rel="stylesheet" href="/assets/pages.css?v=${stylesheetVersion}" />
      </head>
      <body class="${framed ? 'framed' : ''}" ${complete && html`data-complete`}>
        ${body} ${framed && html`<script src="/assets/framed.js?v=${framedScriptVersion}"></script>`}
        ${live && html`<script src="/assets/inbox.js?v=${inboxScriptVersion}"></script>`}
      </body>
    </html>`
}

/** Returns the body of a page: the sandbox's note, the page's content, and the footer. */
export function shell(main: Html, { language }: Voice): Html {
  const { name, note, foot } = texts[language].sandbox
  return html`
    <header class="sandbox-note">
      <p><strong>${name}</strong> ${note}</p>
    </header>
    <main>${main}</main>
    <footer class="foot"><p>${foot}</p></footer>
  `
}

/** Returns a page with a message. */
export function messagePage(message: Message, voice: Voice, page: Pick<Page, 'status' | 'framed'> = {}): Page {
  const card = messageCard({ ...message, takesFocus: page.framed ?? false })
  return { ...page, title: message.heading, voice, body: shell(card, voice) }
}
