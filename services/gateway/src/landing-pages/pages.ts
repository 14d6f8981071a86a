import { createHash } from 'node:crypto'
import { html, type Html } from '@frontdesk/pages/html'
import type { Voice } from '@frontdesk/pages/language'
import { designStyles, messageCard, type Message } from '@frontdesk/pages/message'
import type { FastifyReply } from 'fastify'

/** Not a part of the page's template, since the hash is of every blank in it. */
const styleElement: Html = { markup: `<style>${designStyles}</style>` }
const styleHash = createHash('sha256').update(designStyles).digest('base64')

/** The headers of a page. It loads nothing, cannot be framed, is not cached and sends no referrer. */
const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'content-security-policy': `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  'referrer-policy': 'no-referrer',
}

/** Sends a page for a person in a browser. It works on a phone, with a screen reader and without JavaScript. */
export function sendPage(reply: FastifyReply, message: Message, voice: Voice, status = 200): FastifyReply {
  const page = html`<!doctype html>
    <html lang="${voice.locale}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>${message.heading}</title>
        ${styleElement}
      </head>
      <body>
        <main>${messageCard(message)}</main>
      </body>
    </html>`
  return reply.code(status).headers(pageHeaders).send(page.markup)
}
