// A receiver of webhooks with nothing but Node. Run it with: WEBHOOK_SECRET=whsec_... PORT=3000 node receiver.ts
import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import process from 'node:process'
import { buffer } from 'node:stream/consumers'

const key = Buffer.from((process.env['WEBHOOK_SECRET'] ?? '').replace('whsec_', ''), 'base64')
if (key.length === 0) throw new Error('Set WEBHOOK_SECRET to the signing secret of your subscription.')
const toleranceSeconds = 300
const seen = new Set<string>() // in production: a unique column of your database

/** Whether one of the signatures is ours. After a rotation there are two, separated by a space. */
function isSigned(headers: IncomingMessage['headers'], body: Buffer): boolean {
  const header = (name: string) => String(headers[name] ?? '')
  const timestamp = header('webhook-timestamp')
  if (!/^\d+$/.test(timestamp) || Math.abs(Date.now() / 1000 - Number(timestamp)) > toleranceSeconds) return false
  const hmac = createHmac('sha256', key)
    .update(`${header('webhook-id')}.${timestamp}.`)
    .update(body)
  const expected = Buffer.from(`v1,${hmac.digest('base64')}`)
  return header('webhook-signature')
    .split(' ')
    .map((signature) => Buffer.from(signature))
    .some((signature) => signature.length === expected.length && timingSafeEqual(signature, expected))
}

const server = createServer((request, response) => {
  void buffer(request).then((body) => {
    if (!isSigned(request.headers, body)) return response.writeHead(400).end()
    const id = String(request.headers['webhook-id'])
    if (seen.has(id)) {
      process.stdout.write(`repeated ${id}\n`)
      return response.writeHead(204).end()
    }
    const event = JSON.parse(body.toString('utf8')) as { type: string }
    seen.add(id) // store id and event in one transaction, and do the work afterwards
    process.stdout.write(`accepted ${id} ${event.type}\n`)
    return response.writeHead(204).end()
  })
})
server.listen(Number(process.env['PORT'] ?? 3000))
