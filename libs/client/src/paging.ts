/**
 * Yields every item of a list. `list` calls the operation; pass its `page` on in the query.
 *
 * ```ts
 * const sites = eachItem((page) => frontdesk.listSites({ query: { isActive: true, ...page } }))
 * for await (const site of sites) console.log(site.Name)
 * ```
 *
 * It requests a page only when you have used up the one before.
 */
export async function* eachItem<Item>(
  list: (page: { nextPageToken?: string }) => Promise<{ Items: Item[]; NextPageToken?: string }>,
): AsyncGenerator<Item> {
  let nextPageToken: string | undefined
  do {
    const page = await list(nextPageToken === undefined ? {} : { nextPageToken })
    yield* page.Items
    nextPageToken = page.NextPageToken
  } while (nextPageToken !== undefined)
}
