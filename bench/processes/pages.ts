import { Pool } from 'undici'
import { serveRemote } from '../harness/remote.ts'

export interface Pages {
  origin: string
  /** Address of the list, its filters with it. */
  path: string
  headers: Record<string, string>
  /** The token to begin at; without one it is the first page. */
  token?: string | undefined
  /** Pages at most. */
  most: number
}

export interface PagesRead {
  /** Milliseconds from the request to the last byte, of each page. */
  times: Float64Array
  /** The token to go on with, where there is more. */
  token: string | undefined
}

export type PagesMethods = typeof methods

const methods = {
  /** Reads a list page by page. A process of its own: what the bench itself leaves to its garbage collector is no page's time. */
  async read({ origin, path, headers, token: first, most }: Pages): Promise<PagesRead> {
    const pool = new Pool(origin, { pipelining: 1 })
    const times: number[] = []
    let token = first
    do {
      const startedAt = performance.now()
      const address = token === undefined ? path : `${path}&nextPageToken=${encodeURIComponent(token)}`
      const { statusCode, body } = await pool.request({ path: address, method: 'GET', headers })
      const page = Buffer.from(await body.arrayBuffer())
      times.push(performance.now() - startedAt)
      if (statusCode !== 200) throw new Error(`${statusCode} ${page.toString().slice(0, 500)}`)
      token = tokenOf(page)
    } while (token !== undefined && times.length < most)
    await pool.close()
    return { times: Float64Array.from(times), token }
  },
}

/** The token of the next page is the last member; to parse all of the page would leave garbage. */
function tokenOf(page: Buffer): string | undefined {
  const end = page.toString('utf8', Math.max(0, page.byteLength - 2_000))
  return /"NextPageToken":"([^"]+)"\}$/.exec(end)?.[1]
}

serveRemote(methods)
