/** Options of every call. */
export interface CallOptions {
  /** Ends the call, its tries and its waits when it aborts. The call then throws the signal's reason. */
  signal?: AbortSignal | undefined
}

/** Options of a call that creates something, or makes something happen. */
export interface PostOptions extends CallOptions {
  /** The Idempotency-Key. By default the client makes one for each call, so that its own retries are safe. */
  idempotencyKey?: string | undefined
}

/** An option of calls that may need to know your practice management system. */
export interface SoftwareOption {
  /** Sent as X-Practice-Management-Software: the system that is meant, if your client has access to several. */
  practiceManagementSoftware?: string | undefined
}

/** A page of a list. */
export interface Page {
  Items: unknown[]
  NextPageToken?: string
}

/**
 * A list, which is requested at once. Await it for its first page, or iterate over it for the items of all pages: each page is
 * requested when you have used up the one before.
 */
export type Pages<List extends Page> = Promise<List> & AsyncIterable<List['Items'][number]>

/** Returns a list of which `request` gets a page: the first one without a token. */
export function pagesOf(request: (nextPageToken?: string) => Promise<Page>): Pages<Page> {
  const first = request()
  async function* items(): AsyncGenerator<unknown> {
    for (let page = await first; ; page = await request(page.NextPageToken)) {
      yield* page.Items
      if (page.NextPageToken === undefined) return
    }
  }
  return Object.assign(first, { [Symbol.asyncIterator]: items })
}
