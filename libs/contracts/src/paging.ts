import { Type, type TSchema } from 'typebox'
import { PageToken } from './values.ts'

/** The query members of every list. */
export const paging = {
  pageSize: Type.Integer({
    minimum: 1,
    maximum: 250,
    default: 50,
    format: 'int32',
    description: 'The largest number of items in a page.',
  }),
  nextPageToken: Type.Optional(PageToken),
}

/** Returns the schema of a page of a list. */
export function pageOf<T extends TSchema>(items: T, description: string) {
  return Type.Object(
    {
      Items: Type.Array(items, { description: 'The items of this page.' }),
      NextPageToken: Type.Optional(
        Type.String({
          description: 'Send it as `nextPageToken` for the next page. Absent: this page is the last one.',
        }),
      ),
    },
    { description },
  )
}
