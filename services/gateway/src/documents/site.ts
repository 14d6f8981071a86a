import { readdir, readFile } from 'node:fs/promises'
import { extname, join, relative } from 'node:path'
import { problem } from '@frontdesk/problems'
import type { FastifyInstance, FastifyReply } from 'fastify'

interface SiteFile {
  type: string
  bytes: Buffer
  /** Its name has a hash of its content, so it never changes. */
  isAsset: boolean
}

/** The documentation site in memory, by address below `/docs/`. It has about 2 MB. */
export type Site = ReadonlyMap<string, SiteFile>

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
}

/** Reads the built site. It is empty if there is no folder, or if nothing was built in it yet. */
export async function readSite(folder: string | undefined): Promise<Site> {
  if (folder === undefined) return new Map()
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  })
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  const read = files.map(async (file) => {
    const type = types[extname(file)]
    if (type === undefined) return []
    const name = relative(folder, file)
    // The address of a page has no extension, and that of the first page no name.
    const address = name.replace(/(^|\/)index\.html$/, '$1').replace(/\.html$/, '')
    return [[address, { type, bytes: await readFile(file), isAsset: name.startsWith('assets/') }] as const]
  })
  return new Map((await Promise.all(read)).flat())
}

// A page may neither load from another host nor send to one. The highlighting of code is in style attributes.
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

const notBuilt = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Frontdesk</title></head>
<body>
<main>
<h1>The documentation is not part of this installation</h1>
<p>In a checkout, <code>npm run docs</code> builds it; then start Frontdesk again. The documents of the API are at
<a href="/openapi.json">/openapi.json</a> and <a href="/asyncapi.json">/asyncapi.json</a>.</p>
</main>
</body>
</html>
`

/** Registers the documentation site at `/docs/`. */
export function serveSite(app: FastifyInstance, site: Site): void {
  const send = (reply: FastifyReply, status: number, { type, bytes, isAsset }: SiteFile): FastifyReply =>
    reply
      .code(status)
      .headers({
        'content-security-policy': policy,
        'cache-control': isAsset ? 'public, max-age=31536000, immutable' : 'public, max-age=300',
      })
      .type(type)
      .send(bytes)

  app.get('/docs', (_request, reply) => reply.redirect('/docs/', 308))
  app.get<{ Params: { '*': string } }>('/docs/*', (request, reply) => {
    if (site.size === 0) {
      return send(reply, 200, { type: types['.html'] ?? '', bytes: Buffer.from(notBuilt), isAsset: false })
    }
    const found = site.get(request.params['*'])
    if (found !== undefined) return send(reply, 200, found)
    const page = site.get('404')
    // A person gets a page with a way back; a program gets a problem.
    if (page === undefined || !String(request.headers.accept).includes('text/html')) throw problem('route_not_found')
    return send(reply, 404, page)
  })
}
