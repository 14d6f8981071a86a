import { operations, type Operation, type OperationId } from '@frontdesk/contracts'
import fc, { type Arbitrary } from 'fast-check'
import { anyJson, faulty, queryText, valid } from './arbitraries.ts'
import { operationIds } from './cells.ts'
import { paymentBody } from './practice.ts'
import { specimenOf } from './specimens.ts'
import type { Call, Credential } from './tested-system.ts'

/** The allowed answers to a generated request. */
type Expectation =
  /** A success, or a refusal by a rule. */
  | { kind: 'valid' }
  /** A refusal by form, with a pointer to the fault if that is known. */
  | { kind: 'malformed'; pointer?: string }
  | { kind: 'unauthorized' }
  /** Anything but a server error. */
  | { kind: 'any' }

export interface GeneratedRequest {
  id: OperationId
  call: Omit<Call, 'as'>
  expected: Expectation
}

/** The sites that generated requests are about. */
export interface Targets {
  as: Credential
  /** Whether the provider is a sandbox, at which valid requests may create things. */
  hasSandbox: boolean
  /** Slug of a site that can take payments if the system has a sandbox. */
  practice: string
  /** Slug of a site for changes, which may suspend it. */
  changed: string
  /** Slug of a site for deletions and rotations. */
  other: string
  /** Ids of entities of the practice, by parameter. */
  existing: Readonly<Record<string, readonly string[]>>
}

/** Operations that would spoil the practice for other requests have a site of their own. */
const siteIs: Partial<Record<OperationId, 'practice' | 'changed' | 'other'>> = {
  changeSite: 'changed',
  rotateSiteKey: 'other',
  deleteSite: 'other',
}

/** These create something at a payment provider, which may be a real one. */
const atProvider: readonly OperationId[] = ['createAccount', 'createPayment', 'createRefund']

/** Generates requests of every operation: valid, with one fault, unusual, or without credentials. */
export function requests(targets: Targets): Arbitrary<GeneratedRequest> {
  const slugOf = (id: OperationId) => targets[siteIs[id] ?? 'practice']
  const kinds = operationIds.flatMap((id): { weight: number; arbitrary: Arbitrary<GeneratedRequest> }[] => {
    const { body, query } = operations[id] as Operation
    const specimen = specimenOf(id, slugOf(id))
    const make = (call: Omit<Call, 'as'>, expected: Expectation): GeneratedRequest => ({
      id,
      call: { ...specimen, ...call },
      expected,
    })
    const withBody =
      body === undefined
        ? []
        : [
            ...(targets.hasSandbox || !atProvider.includes(id)
              ? [{ weight: 6, arbitrary: bodies(id, body).map((value) => make({ body: value }, { kind: 'valid' })) }]
              : []),
            {
              weight: 8,
              arbitrary: faulty(body).map(({ value, pointer }) =>
                make({ body: asSent(value) }, { kind: 'malformed', pointer }),
              ),
            },
            { weight: 2, arbitrary: anyJson.map((text) => make({ body: text }, { kind: 'any' })) },
          ]
    const queries =
      query === undefined
        ? []
        : [
            {
              weight: 6,
              arbitrary: validQuery(query).map((value) => make({ query: queryText(value) }, { kind: 'any' })),
            },
            { weight: 3, arbitrary: faultyQuery(query).map((text) => make({ query: text }, { kind: 'any' })) },
          ]
    return [
      ...withBody,
      ...queries,
      ...existing(id, specimen.params, targets).map((params) => ({
        weight: 2,
        arbitrary: params.map((one) => make({ params: one }, { kind: 'any' })),
      })),
      { weight: 2, arbitrary: addresses(id, specimen.params).map((params) => make({ params }, { kind: 'any' })) },
      { weight: 2, arbitrary: unusualHeaders().map((headers) => make({ ...harmless(id), headers }, { kind: 'any' })) },
      { weight: 1, arbitrary: withoutCredential(id).map((call) => make(call, { kind: 'unauthorized' })) },
    ]
  })
  return fc.oneof(...kinds)
}

/** Generates valid bodies; half of those of payments break no rule either. */
function bodies(id: OperationId, schema: object): Arbitrary<unknown> {
  if (id !== 'createPayment') return valid(schema)
  const agreeable = valid(schema).map((value) => ({
    ...(value as object),
    ...paymentBody(),
    StatementDescriptor: 'HARBOUR ST',
  }))
  return fc.oneof(valid(schema), agreeable)
}

/** Generates parameters of existing entities, except for the operation that would delete them. */
function existing(
  id: OperationId,
  params: Record<string, string>,
  targets: Targets,
): Arbitrary<Record<string, string>>[] {
  if (id === 'deleteAccount') return []
  const named = Object.keys(params).flatMap((name) => {
    const values = targets.existing[name] ?? []
    return values.length === 0 ? [] : [fc.constantFrom(...values).map((value) => ({ ...params, [name]: value }))]
  })
  return named
}

/** JSON omits a member that is `undefined`. */
const asSent = (value: unknown): string => JSON.stringify(value) ?? ''

const validQuery = (query: object) => valid(query)
const faultyQuery = (query: object): Arbitrary<string> =>
  fc.oneof(
    faulty(query).map(({ value }) => queryText(value)),
    fc
      .array(fc.tuple(fc.string(), fc.string()), { maxLength: 5 })
      .map((pairs) => new URLSearchParams(pairs).toString()),
    fc.stringMatching(/^[a-zA-Z0-9%&=[\]._~-]{0,60}$/),
  )

/** Generates parameters of which one is any text. Deletions and rotations get identifiers that do not exist. */
function addresses(id: OperationId, params: Record<string, string>): Arbitrary<Record<string, string>> {
  const names = Object.keys(params)
  if (names.length === 0) return fc.constant(params)
  const text = fc.oneof(
    fc.string({ minLength: 1 }),
    fc.string({ unit: 'binary', minLength: 1 }),
    fc.uuid(),
    fc.stringMatching(/^[osl][a-zA-Z0-9]{3,20}$/),
  )
  const odd = text
    .filter((value) => value.isWellFormed() && value !== '.' && value !== '..')
    // A change may have given a site any short text as its id; a deletion must not hit it.
    .map((value) => (mustNotSucceed.includes(id) ? `nothing ${value}` : value))
  return fc
    .tuple(fc.constantFrom(...names), odd)
    .map(([name, value]) => ({ ...params, ...unreachable(id), [name]: value }))
}

/** Returns parameters that keep a request from existing sites, if it must not succeed. */
function unreachable(id: OperationId): Record<string, string> {
  return mustNotSucceed.includes(id) ? { SiteIdentifier: 'sUnknown0001' } : {}
}

const mustNotSucceed: readonly OperationId[] = ['deleteSite', 'rotateSiteKey']

function harmless(id: OperationId): Omit<Call, 'as'> {
  const { body } = operations[id] as Operation
  const params = unreachable(id)
  return {
    ...(Object.keys(params).length === 0 ? {} : { params: { ...specimenOf(id, 'sUnknown0001').params, ...params } }),
    ...(body === undefined ? {} : { body: {} }),
  }
}

/** Generates headers with unusual values; bytes that HTTP forbids are tested by the raw cases. */
function unusualHeaders(): Arbitrary<Record<string, string>> {
  const value = fc.stringMatching(/^[\x20-\x7e\x80-\xff]{0,80}$/)
  const names = [
    'idempotency-key',
    'x-practice-management-software',
    'accept',
    'content-type',
    'traceparent',
    'x-request-id',
    'x-site-api-key',
    'accept-encoding',
    'if-match',
  ]
  return fc.dictionary(fc.constantFrom(...names), value, { minKeys: 1, maxKeys: 3, noNullPrototype: true })
}

function withoutCredential(id: OperationId): Arbitrary<Omit<Call, 'as'>> {
  const { body } = operations[id] as Operation
  const credentials = fc.constantFrom<Record<string, string>>(
    {},
    { authorization: 'Bearer x.y.z' },
    { 'x-site-api-key': 'guess' },
  )
  const sent = body === undefined ? fc.constant(undefined) : valid(body)
  return fc
    .tuple(credentials, sent)
    .map(([headers, value]) => ({ headers, ...(value === undefined ? {} : { body: value }) }))
}
