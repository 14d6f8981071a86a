import { type NatsSettings } from '@frontdesk/events'
import {
  internalOperations,
  operations,
  scopes,
  type Body,
  type InternalOperationId,
  type InternalOperationsOf,
  type Operation,
  type OperationsOf,
  type Reply,
  type ServiceName,
  operationUrl,
} from '@frontdesk/contracts'
import { openPool, type Pool } from '@frontdesk/database'
import { openCredentials } from '@frontdesk/dev-stack/services'
import type { ProblemDetails } from '@frontdesk/problems'
import { openTokenIssuer, type KeyFiles, type Principal, type TokenIssuer } from '@frontdesk/service/tokens'
import { throwAwayDatabase } from '@frontdesk/testing'
import { throwAwayFolder } from '@frontdesk/testing/throw-away-folder'
import { pino } from 'pino'
import { start } from '../src/start.ts'

export type RegistryOperation = OperationsOf<'registry'>

export interface Call<Id extends RegistryOperation> {
  params?: Record<string, string>
  /** As `name=value&…`, without the question mark. */
  query?: string
  body?: Body<Id> | Record<string, unknown>
  headers?: Record<string, string>
}

export interface Answer {
  status: number
  headers: Headers
  body: unknown
}

/** A client that calls through the gateway. */
export interface Client {
  principal: Principal
  call<Id extends RegistryOperation>(id: Id, call?: Call<Id>): Promise<Answer>
  /** Returns the body of a success; throws on any problem. */
  succeed<Id extends RegistryOperation>(id: Id, call?: Call<Id>): Promise<Reply<Id>['body']>
  /** Returns the problem; throws on a success. */
  refused<Id extends RegistryOperation>(id: Id, call?: Call<Id>): Promise<ProblemDetails>
}

export interface RegistryFixture extends AsyncDisposable {
  url: string
  /** As registry logs in. */
  databaseUrl: string
  /** As the administrator of Postgres. */
  pool: Pool
  /** The environment of the service. */
  env: Record<string, string>
  /** Returns the settings with the keys of a service. */
  keysOf(service: ServiceName): KeyFiles
  /** Makes a client with all scopes and access to these systems. */
  client(systems: string[], more?: Partial<Principal>): Client
  /** Calls an internal operation as a service. */
  internal(
    as: ServiceName,
    id: InternalOperationsOf<'registry'>,
    params: Record<string, string>,
    query?: string,
  ): Promise<Answer>
}

/** Starts the whole registry on a database of its own; without `nats` there is no broker. */
export async function startRegistry({
  nats = { NATS_URL: 'nats://127.0.0.1:1' },
  env = {},
  through = (url) => url,
}: {
  nats?: NatsSettings
  env?: Record<string, string>
  /** Returns the address at which registry finds its database. */
  through?: (databaseUrl: string) => string
} = {}): Promise<RegistryFixture> {
  await using stack = new AsyncDisposableStack()
  const database = stack.use(await throwAwayDatabase('registry'))
  const folder = stack.use(await throwAwayFolder())
  const credentials = openCredentials(folder.path, ['gateway', 'payments', 'registry'])
  const stop = new AbortController()
  const environment = {
    FRONTDESK_MODE: 'development',
    REGISTRY_DATABASE_URL: through(database.runtimeUrl),
    ...nats,
    PUBLIC_URL: 'https://frontdesk.example',
    WEBHOOK_DELIVERY_URL: 'http://127.0.0.1:1',
    ...credentials.internalKeys('registry'),
    ENCRYPTION_KEYS_FILE: credentials.encryptionKeysFile('registry'),
    ...env,
  }
  const running = stack.use(await start({ env: environment, log: pino({ level: 'silent' }), signal: stop.signal }))
  const pool = openPool({ url: database.url, name: 'test', size: 4 })
  stack.defer(() => pool.end())
  const issuers = new Map<ServiceName, TokenIssuer>()
  for (const service of ['gateway', 'payments'] as const) {
    issuers.set(service, openTokenIssuer(service, credentials.internalKeys(service)))
  }

  async function send(
    as: ServiceName,
    principal: Principal,
    method: string,
    path: string,
    call: Call<RegistryOperation>,
  ): Promise<Answer> {
    const issuer = issuers.get(as)
    if (issuer === undefined) throw new Error(`no key of ${as}`)
    const target = `${path}${call.query === undefined ? '' : `?${call.query}`}`
    const response = await fetch(`${running.url}${target}`, {
      method,
      headers: issuer.sign('registry', {
        method,
        path: target,
        headers: {
          authorization: `Bearer ${await issuer.mint('registry', { principal })}`,
          ...(call.body === undefined ? {} : { 'content-type': 'application/json' }),
          ...call.headers,
        },
        body: call.body === undefined ? undefined : Buffer.from(JSON.stringify(call.body)),
      }),
      ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
    })
    const text = await response.text()
    return { status: response.status, headers: response.headers, body: text === '' ? undefined : JSON.parse(text) }
  }

  function client(systems: string[], more: Partial<Principal> = {}): Client {
    const principal: Principal = { id: 'client:test', scopes, practiceManagementSystems: systems, ...more }
    const call = async <Id extends RegistryOperation>(id: Id, options: Call<Id> = {}): Promise<Answer> => {
      const { method, path }: Operation = operations[id]
      return send('gateway', principal, method, operationUrl(path, options.params ?? {}), options)
    }
    return {
      principal,
      call,
      async succeed(id, options) {
        const answer = await call(id, options)
        if (answer.status < 300) return answer.body as Reply<typeof id>['body']
        throw new Error(`${id} was refused: ${JSON.stringify(answer.body)}`)
      },
      async refused(id, options) {
        const answer = await call(id, options)
        if (answer.status >= 400) return answer.body as ProblemDetails
        throw new Error(`${id} was not refused: ${JSON.stringify(answer.body)}`)
      },
    }
  }

  const owned = stack.move()
  return {
    url: running.url,
    databaseUrl: database.runtimeUrl,
    pool,
    env: environment,
    keysOf: credentials.internalKeys,
    client,
    internal(as, id, params, query) {
      const { method, path }: { method: string; path: string } = internalOperations[id satisfies InternalOperationId]
      return send(
        as,
        { id: `service:${as}`, scopes: [], practiceManagementSystems: [] },
        method,
        operationUrl(path, params),
        query === undefined ? {} : { query },
      )
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}
