import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { FastifyInstance } from 'fastify'

const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Frontdesk API reference</title>
    <link rel="icon" href="data:," />
    <link rel="stylesheet" href="/docs/swagger-ui.css" />
  </head>
  <body>
    <main id="reference"><noscript>The document itself is at <a href="/openapi.json">/openapi.json</a>.</noscript></main>
    <script src="/docs/swagger-ui-bundle.js"></script>
    <script src="/docs/start.js"></script>
  </body>
</html>
`

const start = `SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#reference',
  deepLinking: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  displayOperationId: true,
  validatorUrl: null,
})
`

// The page may neither load from another host nor send to one.
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

const assets = { 'swagger-ui.css': 'text/css', 'swagger-ui-bundle.js': 'text/javascript' } as const

/** Registers the API reference at `/docs`: Swagger UI from its package, with our own document. */
export function serveReference(app: FastifyInstance): void {
  const require = createRequire(import.meta.url)
  const headers = { 'content-security-policy': policy, 'cache-control': 'public, max-age=3600' }
  app.get('/docs', (_request, reply) => reply.headers(headers).type('text/html; charset=utf-8').send(page))
  app.get('/docs/start.js', (_request, reply) => reply.headers(headers).type('text/javascript').send(start))
  for (const [name, type] of Object.entries(assets)) {
    let bytes: Promise<Buffer> | undefined
    app.get(`/docs/${name}`, async (_request, reply) => {
      bytes ??= readFile(require.resolve(`swagger-ui-dist/${name}`))
      return reply
        .headers(headers)
        .type(type)
        .send(await bytes)
    })
  }
}
