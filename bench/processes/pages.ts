import { openTokenIssuer, type KeyFiles } from '@frontdesk/service/tokens'
import { Pool } from 'undici'
import { serveRemote } from '../harness/remote.ts'

export interface Pages {
  origin: string
  /** Address of the list with its filters. */
  path: string
  headers: Record<string, string>
  /** The key that signs each request, as the gateway does. */
  keyFiles: KeyFiles
  /** Token of the page to begin at; default: the first page. */
  token?: string | undefined
  /** The most pages to read. */
  most: number
}

export interface PagesRead {
  /** Milliseconds from the request to the last byte, of each page. */
  times: Float64Array
  /** Token of the next page, if there is one. */
  token: string | undefined
}

export type PagesMethods = typeof methods

const methods = {
  /** Reads a list page by page. A separate process keeps the bench's garbage collector out of the timings. */
  async read({ origin, path, headers, keyFiles, token: first, most }: Pages): Promise<PagesRead> {
    const pool = new Pool(origin, { pipelining: 1 })
    const issuer = openTokenIssuer('gateway', keyFiles)
    const times: number[] = []
    let token = first
    do {
      const address = token === undefined ? path : `${path}&nextPageToken=${encodeURIComponent(token)}`
      const signed = issuer.sign('registry', { method: 'GET', path: address, headers })
      const startedAt = performance.now()
      const { statusCode, body } = await pool.request({ path: address, method: 'GET', headers: signed })
      const page = Buffer.from(await body.arrayBuffer())
      times.push(performance.now() - startedAt)
      if (statusCode !== 200) throw new Error(`${statusCode} ${page.toString().slice(0, 500)}`)
      token = tokenOf(page)
    } while (token !== undefined && times.length < most)
    await pool.close()
    return { times: Float64Array.from(times), token }
  },
}

/** Returns the token of the next page. It is the last member; parsing the whole page would make garbage. */
function tokenOf(page: Buffer): string | undefined {
  const end = page.toString('utf8', Math.max(0, page.byteLength - 2_000))
  return /"NextPageToken":"([^"]+)"\}$/.exec(end)?.[1]
}

serveRemote(methods)
