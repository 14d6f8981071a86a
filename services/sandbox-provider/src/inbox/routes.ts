import type { Pool } from '@frontdesk/database'
import { problem } from '@frontdesk/problems'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { sendPage } from '../pages/layout.ts'
import { eventOf, isListenerAddress, secretPattern } from './domain.ts'
import type { CheckedWebhook, Inboxes } from './inboxes.ts'
import { inboxesPage, inboxPage } from './page.ts'
import { deleteRequests, readInboxes, readSecrets, storeSecret } from './store.ts'

interface Deps {
  pool: Pool
  inboxes: Inboxes
  baseUrl: () => string
  now: () => Date
}

const params = Type.Object({ inbox: Type.String({ pattern: '^[A-Za-z0-9._-]{1,64}$' }) })
const search = Type.Object({
  /** Only webhooks of one event type. */
  type: Type.Optional(Type.String({ maxLength: 200 })),
  /** Only webhooks about one subject, such as a payment's RecordId. */
  subject: Type.Optional(Type.String({ maxLength: 200 })),
  /** Only requests with a higher number. */
  after: Type.Integer({ minimum: 0, default: 0 }),
})
interface Search {
  type?: string
  subject?: string
  after: number
}
type OfInbox = { Params: { inbox: string } }

/**
 * Serves inboxes: `POST /inbox/{inbox}` takes the webhooks of a subscription as a receiver would, and `GET /inbox/{inbox}` shows
 * them to a person. Everything below it is for the page's forms and for commands.
 */
export function inboxRoutes(app: FastifyInstance, { pool, inboxes, baseUrl, now }: Deps): void {
  const schema = { params }
  // Signatures cover the bytes of a body, whatever its type.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))

  app.get('/inbox', async (_request, reply) => sendPage(reply, inboxesPage(await readInboxes(pool))))

  app.get<OfInbox>('/inbox/:inbox', { schema }, async (request, reply) => {
    const { inbox } = request.params
    const [webhooks, secrets] = await Promise.all([inboxes.read(inbox), readSecrets(pool, inbox)])
    return sendPage(
      reply,
      inboxPage({
        inbox,
        address: addressOf(baseUrl(), inbox),
        webhooks,
        secrets: secrets.length,
        listener: inboxes.listener(inbox),
        refusals: inboxes.refusals(inbox),
      }),
    )
  })

  app.post<OfInbox>('/inbox/:inbox', { schema }, async (request, reply) => {
    const body = bytesOf(request)
    const status = await inboxes.receive(request.params.inbox, { headers: headersOf(request), body })
    return reply.code(status).send()
  })

  app.get<OfInbox & { Querystring: Search }>(
    '/inbox/:inbox/webhooks',
    { schema: { params, querystring: search } },
    async (request) => {
      const webhooks = await inboxes.read(request.params.inbox)
      return { webhooks: webhooks.filter(matching(request.query)).map(toWire) }
    },
  )

  app.post<OfInbox>('/inbox/:inbox/secrets', { schema }, async (request, reply) => {
    const { inbox } = request.params
    const secret = (formOf(request).get('secret') ?? '').trim()
    if (!new RegExp(secretPattern).test(secret)) {
      throw problem(
        'malformed_request',
        'Send the form field "secret": a signing secret (whsec_…) or a public key (whpk_…).',
      )
    }
    await storeSecret(pool, inbox, secret, now())
    return reply.redirect(`/inbox/${inbox}`, 303)
  })

  app.post<OfInbox>('/inbox/:inbox/refusals', { schema }, async (request, reply) => {
    const { inbox } = request.params
    const count = Number(formOf(request).get('next') ?? 1)
    if (!Number.isInteger(count) || count < 0 || count > 100) {
      throw problem('malformed_request', 'The form field "next" is how many of the next webhooks to refuse: 0 to 100.')
    }
    inboxes.refuseNext(inbox, count)
    return reply.redirect(`/inbox/${inbox}`, 303)
  })

  app.post<OfInbox>('/inbox/:inbox/listener', { schema }, async (request, reply) => {
    const address = formOf(request).get('url') ?? ''
    if (!isListenerAddress(address)) {
      throw problem(
        'malformed_request',
        'The form field "url" is an address on this machine: http://127.0.0.1:PORT/PATH.',
      )
    }
    inboxes.listen(request.params.inbox, address)
    return reply.code(204).send()
  })

  app.delete<OfInbox>('/inbox/:inbox/listener', { schema }, async (request, reply) => {
    inboxes.unlisten(request.params.inbox)
    return reply.code(204).send()
  })

  app.post<OfInbox>('/inbox/:inbox/clear', { schema }, async (request, reply) => {
    await deleteRequests(pool, request.params.inbox)
    return reply.redirect(`/inbox/${request.params.inbox}`, 303)
  })
}

/** Returns the address that a subscription names to have its webhooks in an inbox. */
function addressOf(baseUrl: string, inbox: string): string {
  return `${baseUrl}/inbox/${inbox}`
}

function bytesOf({ body }: FastifyRequest): Buffer {
  return Buffer.isBuffer(body) ? body : Buffer.alloc(0)
}

function formOf(request: FastifyRequest): URLSearchParams {
  return new URLSearchParams(bytesOf(request).toString('utf8'))
}

function headersOf({ headers }: FastifyRequest): Record<string, string> {
  const pairs = Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]))
  return Object.fromEntries(pairs) as Record<string, string>
}

function matching({ type, subject, after }: Search): (webhook: CheckedWebhook) => boolean {
  return ({ number, body }) => {
    const event = eventOf(body)
    const isOfType = type === undefined || event.type === type
    return number > after && isOfType && (subject === undefined || event.subject === subject)
  }
}

function toWire({ number, receivedAt, headers, body, answer, answeredBy, error, signature }: CheckedWebhook): object {
  return {
    number,
    receivedAt,
    webhookId: headers['webhook-id'],
    ...eventOf(body),
    signature,
    answer,
    answeredBy,
    ...(error !== null && { error }),
    headers,
    body: body.toString('utf8'),
  }
}
