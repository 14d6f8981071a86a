import { catalogue } from '@frontdesk/problems'
import { code, jsonBlock, plain, prose } from './markdown.ts'
import { describeProperties, describeType, type Schema } from './schema-lists.ts'

interface Parameter {
  $ref?: string
  name: string
  in: string
  required?: boolean
  description?: string
  schema: Schema
}
interface Content {
  schema: Schema
  example?: unknown
}
interface Response {
  $ref?: string
  description: string
  content?: Record<string, Content>
}
interface Operation {
  operationId: string
  summary: string
  description?: string
  tags: string[]
  security: Record<string, string[]>[]
  parameters?: Parameter[]
  requestBody?: { required?: boolean; content: Record<string, Content> }
  responses: Record<string, Response>
}
interface OpenApi {
  tags: { name: string; description: string }[]
  paths: Record<string, Record<string, Operation>>
  components: {
    schemas: Record<string, Schema>
    responses?: Record<string, Response>
    parameters?: Record<string, Parameter>
  }
}

export interface ReferencePage {
  address: string
  title: string
  text: string
}

/** Returns the pages of the API reference: one for each tag of the OpenAPI document, and one with its schemas. */
export function referencePages(document: string): ReferencePage[] {
  const openApi = JSON.parse(document) as OpenApi
  const operations = Object.entries(openApi.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  )
  const pages = openApi.tags.map(({ name, description }) => {
    const own = operations.filter(({ operation }) => operation.tags.includes(name))
    const sections = own.map((one) => describeOperation(openApi, one))
    return {
      address: `reference/${name.toLowerCase().replaceAll(' ', '-')}`,
      title: name,
      text: [`# ${plain(name)}`, prose(description), ...sections].join('\n\n'),
    }
  })
  return [...pages, { address: 'reference/schemas', title: 'Schemas', text: schemasPage(openApi) }]
}

function describeOperation(
  openApi: OpenApi,
  { path, method, operation }: { path: string; method: string; operation: Operation },
): string {
  const parameters = (operation.parameters ?? []).map((one) => resolved(one, openApi.components.parameters))
  const body = Object.entries(operation.requestBody?.content ?? {})
  return [
    `## ${plain(operation.summary)} {#${operation.operationId}}`,
    `**${method}** ${code(path)}`,
    ...(operation.description === undefined ? [] : [prose(operation.description)]),
    `${credentials(operation)} Its name in the documents and in generated clients is ${code(operation.operationId)}.`,
    ...(parameters.length === 0 ? [] : ['**Parameters**', parameters.map(describeParameter).join('\n')]),
    ...body.slice(0, 1).flatMap(([type, content]) => ['**Body**', ...describeContent(openApi, type, content)]),
    ...Object.entries(operation.responses)
      .filter(([status]) => status.startsWith('2'))
      .flatMap(([status, response]) => describeSuccess(status, resolved(response, openApi.components.responses))),
    '**Errors**',
    Object.entries(operation.responses)
      .filter(([status]) => !status.startsWith('2'))
      .map(([status, response]) => describeRefusal(status, resolved(response, openApi.components.responses)))
      .join('\n'),
  ].join('\n\n')
}

/** Returns what a reference stands for, or the thing itself. */
function resolved<Item extends { $ref?: string }>(item: Item, named: Record<string, Item> = {}): Item {
  return named[item.$ref?.split('/').at(-1) ?? ''] ?? item
}

function credentials({ security }: Operation): string {
  const scopes = security.flatMap(({ accessToken = [] }) => accessToken)
  const token = `Needs an access token with the scope ${scopes.map(code).join(', ')}`
  return security.some((one) => 'siteKey' in one) ? `${token}, or a key of the site.` : `${token}.`
}

function describeParameter({ name, in: place, required = false, description, schema }: Parameter): string {
  const note = description === undefined ? '' : `: ${prose(description)}`
  return `- ${code(name)} (${place}, ${describeType(schema)}${required ? '' : ', optional'})${note}`
}

function describeContent(openApi: OpenApi, type: string, { schema, example }: Content): string[] {
  const name = schema.$ref?.split('/').at(-1)
  const named = name === undefined ? schema : (openApi.components.schemas[name] ?? schema)
  const properties = describeProperties(named)
  return [
    `${code(type)}: ${describeType(schema)}`,
    ...(properties === '' ? [] : [properties]),
    ...(example === undefined ? [] : ['Example:', jsonBlock(example)]),
  ]
}

function describeSuccess(status: string, { description, content = {} }: Response): string[] {
  const title = `**Answer ${status}.** ${prose(description)}`
  const [first] = Object.entries(content)
  if (first === undefined) return [title]
  const [type, { schema, example }] = first
  return [
    `${title} ${code(type)}: ${describeType(schema)}`,
    ...(example === undefined ? [] : ['Example:', jsonBlock(example)]),
  ]
}

/** A response lists its codes in backticks. Each leads to its section on the page of errors. */
function describeRefusal(status: string, { description }: Response): string {
  const text = prose(description).replaceAll(/`([a-z]+(?:_[a-z]+)*)`/g, (whole, name: string) =>
    Object.hasOwn(catalogue, name) ? `[${whole}](/errors#${name})` : whole,
  )
  return `- **${status}** ${text}`
}

function schemasPage({ components }: OpenApi): string {
  const sections = Object.entries(components.schemas).map(([name, schema]) =>
    [
      `## ${plain(name)} {#${name}}`,
      ...(schema.description === undefined ? [] : [prose(schema.description)]),
      ...(schema.properties === undefined ? [`A ${describeType(schema)}.`] : [describeProperties(schema)]),
    ].join('\n\n'),
  )
  return ['# Schemas', 'What requests and answers are made of.', ...sections].join('\n\n')
}
