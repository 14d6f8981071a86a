import { Envelope, events, operations, ProblemDetails, publicEventTypes, type Operation } from '@frontdesk/contracts'
import { catalogue } from '@frontdesk/problems'
import openapiTypescript, { astToString } from 'openapi-typescript'
import ts from 'typescript'
import { collectComponents, type Components, type JsonObject } from './src/documents/components.ts'

/**
 * Returns the generated sources of the client package, by file name: types of all public schemas, methods of all public
 * operations, the public events, and the codes of problems. `heading` becomes their first line.
 */
export async function printedClient(heading: string): Promise<Record<string, string>> {
  const components = collectComponents()
  const methods = Object.values<Operation>(operations).map((operation) => describeMethod(operation, components))
  const groups = Object.entries(Object.groupBy(methods, ({ group }) => group)) as [string, Method[]][]
  components.told(Envelope)
  components.told(ProblemDetails)
  const data = publicEventTypes.map((type) => [dataType(type), components.told(events[type].data)])
  // Last, because it has what all of the above refer to.
  const schemas = { ...components.all(), ...Object.fromEntries(data) } as JsonObject
  const parts = {
    'schemas.ts': await printSchemas(schemas),
    'methods.ts': printMethods(groups),
    'routes.ts': printRoutes(groups),
    'events.ts': printEvents(),
    'problem-codes.ts': printProblemCodes(),
  }
  return Object.fromEntries(Object.entries(parts).map(([file, text]) => [file, `${heading}\n${text}`]))
}

/** An operation as a method of the client. Types are text. */
interface Method {
  group: string
  verb: string
  summary: string
  description: string
  input: string
  inputIsOptional: boolean
  result: string
  /** The parts of the request that are the same for every call. */
  route: object
}

const capitalised = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1)
const dataType = (eventType: string): string => `${eventType.split(/[._]/).map(capitalised).join('')}Data`

function describeMethod(operation: Operation, components: Components): Method {
  const { clientMethod, summary, description, method, path, deadlineMs, contentTypes } = operation
  const [group = '', verb = ''] = clientMethod.split('.')
  const taken = (schema: object) => nameOf(components.taken(schema))
  const told = (schema: object) => nameOf(components.told(schema))
  const inPath = Object.entries(operation.params.properties).map(
    ([name, schema]) => `${name}: ${parameterType(schema)}`,
  )
  // The server has defaults for all that a query may say.
  const query = operation.query === undefined ? [] : [`query?: Partial<${taken(operation.query)}>`]
  const body = operation.body === undefined ? [] : [`body: ${taken(operation.body)}`]
  const members = [...inPath, ...query, ...body]
  const options = [
    ...(method === 'POST' ? ['PostOptions'] : ['CallOptions']),
    ...(operation.practiceManagementSoftware === true ? ['SoftwareOption'] : []),
  ]
  const replies = new Set(Object.values(operation.responses).map(told))
  const isList = Object.values(operation.responses).some(hasPages)
  const reply = [...replies].join(' | ')
  return {
    group,
    verb,
    summary,
    description,
    input: [...(members.length === 0 ? [] : [`{ ${members.join('; ')} }`]), ...options].join(' & '),
    inputIsOptional: inPath.length + body.length === 0,
    result: isList ? `Pages<${reply}>` : `Promise<${reply}>`,
    route: {
      method,
      path,
      deadlineMs,
      ...(contentTypes === undefined ? {} : { contentTypes }),
      ...(isList ? { pages: true } : {}),
    },
  }
}

const parameterType = (schema: object): string =>
  'enum' in schema && Array.isArray(schema.enum) ? schema.enum.map((value) => `'${value}'`).join(' | ') : 'string'

function hasPages(schema: object): boolean {
  return 'properties' in schema && typeof schema.properties === 'object' && 'NextPageToken' in (schema.properties ?? {})
}

/** Returns the name of a schema's type. Throws if it has none: a reader of the client needs one. */
function nameOf(schema: JsonObject): string {
  const { $ref, anyOf, items } = schema
  if (typeof $ref === 'string') return `S.${$ref.split('/').at(-1)}`
  if (Array.isArray(anyOf)) return (anyOf as JsonObject[]).map(nameOf).join(' | ')
  if (typeof items === 'object') return `${nameOf(items as JsonObject)}[]`
  throw new Error(
    `export this schema from libs/contracts, so that the client has a name for it: ${JSON.stringify(schema)}`,
  )
}

async function printSchemas(schemas: JsonObject): Promise<string> {
  const document = {
    openapi: '3.1.1',
    info: { title: 'Frontdesk', version: '1.0.0' },
    paths: {},
    components: { schemas: forReaders(schemas) },
  }
  const nodes = await openapiTypescript(JSON.stringify(document), {
    rootTypes: true,
    rootTypesNoSchemaPrefix: true,
    // A member with a default may be left out of a request.
    defaultNonNullable: false,
    transform: openEnumeration,
  })
  return astToString(nodes)
    .replaceAll(/components\["schemas"\]\["(\w+)"\]/g, '$1')
    .replaceAll(/^export type (paths|webhooks|\$defs|operations) = .*\n/gm, '')
    .replace('export interface components', 'interface components')
}

/** Returns the type of an enumeration that is open: its values of today complete themselves in an editor, and any other may come. */
function openEnumeration(schema: object): ts.TypeNode | undefined {
  if (!('x-extensible-enum' in schema) || !Array.isArray(schema['x-extensible-enum'])) return undefined
  const { factory } = ts
  const values = schema['x-extensible-enum'].map((value) =>
    factory.createLiteralTypeNode(factory.createStringLiteral(String(value))),
  )
  const any = factory.createKeywordTypeNode(ts.SyntaxKind.StringKeyword)
  const other = factory.createIntersectionTypeNode([any, factory.createTypeLiteralNode([])])
  return factory.createUnionTypeNode([...values, factory.createParenthesizedType(other)])
}

const MOST_VALUES = 50

/** Returns schemas of which types can be read: without the values of long enumerations, and without index signatures. */
function forReaders<Part>(part: Part): Part {
  if (Array.isArray(part)) return part.map(forReaders) as Part
  if (typeof part !== 'object' || part === null) return part
  const { enum: values, additionalProperties, ...rest } = part as JsonObject
  const { properties } = rest
  const hasMembers = typeof properties === 'object' && properties !== null && Object.keys(properties).length > 0
  return {
    ...Object.fromEntries(Object.entries(rest).map(([name, inner]) => [name, forReaders(inner)])),
    ...(Array.isArray(values) && (values.length > MOST_VALUES ? { type: 'string' } : { enum: values })),
    ...(additionalProperties !== undefined &&
      !hasMembers && { additionalProperties: forReaders(additionalProperties) }),
  } as Part
}

function printMethods(groups: [string, Method[]][]): string {
  const imports = [
    "import type { CallOptions, Pages, PostOptions, SoftwareOption } from '../calls.ts'",
    "import type * as S from './schemas.ts'",
  ]
  const interfaces = groups.map(([group, methods]) => {
    const printed = methods.map(
      ({ summary, description, verb, input, inputIsOptional, result }) =>
        `  /**\n   * ${summary}.\n   *\n   * ${description}\n   */\n  ${verb}(input${inputIsOptional ? '?' : ''}: ${input}): ${result}`,
    )
    return `export interface ${capitalised(group)} {\n${printed.join('\n')}\n}\n`
  })
  const members = groups.map(([group]) => `  ${group}: ${capitalised(group)}`)
  return [
    ...imports,
    '',
    ...interfaces,
    `/** The methods of a client, in groups. */\nexport interface Methods {\n${members.join('\n')}\n}\n`,
  ].join('\n')
}

/** Apart from the methods' types, which the package exports. */
function printRoutes(groups: [string, Method[]][]): string {
  const routes = groups.map(([group, methods]) => {
    const lines = methods.map(({ verb, route }) => `    ${verb}: ${JSON.stringify(route)},`)
    return `  ${group}: {\n${lines.join('\n')}\n  },`
  })
  return [
    "import type { Route } from '../request.ts'",
    "import type { Methods } from './methods.ts'",
    '',
    `export const routes: Record<keyof Methods, Record<string, Route>> = {\n${routes.join('\n')}\n}\n`,
  ].join('\n')
}

function printEvents(): string {
  const members = publicEventTypes.map(
    (type) => `  /** ${events[type].description} */\n  '${type}': S.${dataType(type)}`,
  )
  return [
    "import type * as S from './schemas.ts'",
    '',
    `/** The data of each event that a subscription can get from Frontdesk itself, by type. */`,
    `export interface DataOfEvents {\n${members.join('\n')}\n}\n`,
    `export const eventTypes: readonly (keyof DataOfEvents)[] = ${JSON.stringify(publicEventTypes)}\n`,
  ].join('\n')
}

function printProblemCodes(): string {
  const codes = Object.entries(catalogue).map(([code, { status, title }]) => `  // ${status}: ${title}.\n  | '${code}'`)
  return `/** The codes of Frontdesk's problems as they are today. */\nexport type ProblemCode =\n${codes.join('\n')}\n`
}
