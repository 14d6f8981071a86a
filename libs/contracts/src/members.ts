import { Type, type TSchema } from 'typebox'

// Schemas of members, each with what the documents say of it. Requests are checked strictly; what we tell may get new values.

/** Returns a schema with a description of its own: what it is for in the member that has it. */
export function described<T extends TSchema>(schema: T, description: string): T {
  return Type.With(schema, { description }) as T
}

/** Returns the schema of one of some strings, each with its meaning, which the documents show. */
export function enumeration<const M extends Record<string, string>>(description: string, meanings: M) {
  const lines = Object.entries(meanings).map(([value, meaning]) => `- \`${value}\`: ${meaning}`)
  return Type.Enum(Object.keys(meanings) as (keyof M & string)[], {
    type: 'string',
    description: [description, '', ...lines].join('\n'),
  })
}

/** Free text without control characters other than tab and line breaks. */
export const text = (maxLength: number, description: string) =>
  Type.String({
    maxLength,
    pattern: '^[^\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f]*$',
    description,
  })

/** Text that we tell. */
export const told = (description: string) => Type.String({ description })
/** An address that we tell. */
export const url = (description: string) => Type.String({ format: 'uri', description })
/** A currency that we tell: one that ISO 4217 has added since is no fault of the answer. */
export const currencyCode = (description: string) => Type.String({ description: `${description} A code of ISO 4217.` })
/** Money that we tell, in minor units. */
export const amount = (description: string) => Type.Integer({ format: 'int64', description })
/** A number of things that we tell. */
export const count = (description: string) => Type.Integer({ format: 'int32', description })
