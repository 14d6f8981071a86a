import type { CallInput, FrontdeskClient } from './client.ts'

type ListOperation = 'listSites' | 'listPayments' | 'listDeliveries'
type Item<Id extends ListOperation> = Awaited<ReturnType<FrontdeskClient[Id]>>['Items'][number]

/**
 * Walks every item of a list, page by page.
 *
 * ```ts
 * for await (const site of eachItem(frontdesk, 'listSites', { query: { isActive: true } })) console.log(site.Name)
 * ```
 */
export async function* eachItem<Id extends ListOperation>(
  client: FrontdeskClient,
  operation: Id,
  input: CallInput<Id>,
): AsyncGenerator<Item<Id>> {
  // The three operations page alike; TypeScript cannot see that through the mapped type.
  const list = client[operation] as (input: object) => Promise<{ Items: Item<Id>[]; NextPageToken?: string }>
  const { query: filters } = input as { query?: object }
  let nextPageToken: string | undefined
  do {
    const query = { ...filters, ...(nextPageToken === undefined ? {} : { nextPageToken }) }
    const page = await list({ ...input, query })
    yield* page.Items
    nextPageToken = page.NextPageToken
  } while (nextPageToken !== undefined)
}
