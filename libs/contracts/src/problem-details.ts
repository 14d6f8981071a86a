import { Type, type Static } from 'typebox'
import { told } from './members.ts'

export const ProblemFault = Type.Object(
  {
    pointer: told('Which member it is: a JSON pointer (RFC 6901).'),
    detail: told('What is wrong with it.'),
  },
  { description: 'A member of the request that is at fault.' },
)

/** The body of every error (interface, "Errors"). */
export const ProblemDetails = Type.Object(
  {
    type: Type.String({
      format: 'uri-reference',
      description: 'The page about this kind of problem, relative to the address of the request.',
    }),
    title: told('The kind of the problem, in words that stay the same.'),
    status: Type.Integer({ format: 'int32', minimum: 400, maximum: 599, description: 'The status of the answer.' }),
    detail: Type.Optional(told('What is wrong with this request.')),
    instance: Type.Optional(told('The path of the request.')),
    code: told('The kind of the problem, for programs: stable, in snake_case.'),
    traceId: Type.Optional(told('The id of the trace of the request: tell it to support.')),
    errors: Type.Optional(Type.Array(ProblemFault, { description: 'The members of the request that are at fault.' })),
  },
  {
    additionalProperties: true,
    description:
      'Problem details (RFC 9457). A problem may have more members, such as `RecordId` or `providerCode`: ignore those that you do not know.',
  },
)
export type ProblemDetails = Static<typeof ProblemDetails>
