import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createClient, type ClientOptions, type FrontdeskClient } from '#client'
import { SystemFault } from './fault.ts'
import { openProvider, type Provider } from './provider.ts'

/** A registered client of a system. */
export interface ClientEntry {
  id: string
  secret: string
  scopes: readonly string[]
  practiceManagementSoftware: readonly string[]
  /** Prefix of the `source` of the events that the client may publish. */
  eventSource?: string
}

/** Where a system is and who its clients are: the members of dev.json that are used here. A foreign system may have clients only. */
export interface SystemFile {
  gateway?: string
  sandbox?: string
  /** The name by which the system reaches receivers of webhooks on this machine; absent if they share loopback. */
  receivers?: string
  clients: readonly ClientEntry[]
  services?: Record<string, { pid: number }>
}

/** A running system, seen from outside. */
export interface System {
  /** The gateway. */
  baseUrl: string
  clients: readonly ClientEntry[]
  /** The client `demo`, unless the system was opened for another one. */
  frontdesk: FrontdeskClient
  provider: Provider
  /** The name by which the system reaches this machine; undefined if they share loopback. */
  receivers: string | undefined
  /** Returns a registered client. Throws SystemFault if there is none of that id. */
  entry(id: string): ClientEntry
  /** Opens a client that calls the gateway; by default it tries each call 6 times. */
  client(id: string, options?: Omit<ClientOptions, 'baseUrl' | 'credentials'>): FrontdeskClient
  /** Returns a fresh access token of a client, for requests without libs/client. */
  newToken(id: string): Promise<string>
}

/** Returns the path of the dev.json that `npm start` writes: in FRONTDESK_HOME, by default `.frontdesk`. */
export function devFilePath(env: Record<string, string | undefined>): string {
  return join(env['FRONTDESK_HOME'] ?? '.frontdesk', 'dev.json')
}

/** Reads dev.json, or the credentials file of another system. Throws SystemFault if there is none. */
export function readSystemFile(file: string): SystemFile {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as SystemFile
  } catch {
    throw new SystemFault(`Nothing runs here (there is no ${file}). Start it in another terminal with: npm start`)
  }
}

/** Joins a system that runs already. `as`: the client behind `frontdesk`. Throws SystemFault if it is not registered. */
export function joinSystem({ gateway = '', sandbox, receivers, clients }: SystemFile, as = 'demo'): System {
  function entry(id: string): ClientEntry {
    const found = clients.find((one) => one.id === id)
    if (found === undefined) throw new SystemFault(`There is no client "${id}".`)
    return found
  }
  const client: System['client'] = (id, options = {}) =>
    createClient({
      baseUrl: gateway,
      credentials: { clientId: id, clientSecret: entry(id).secret },
      attempts: 6,
      ...options,
    })
  return {
    baseUrl: gateway,
    clients,
    frontdesk: client(as),
    provider: openProvider(sandbox),
    receivers,
    entry,
    client,
    async newToken(id) {
      const { path, ...request } = tokenRequest(entry(id))
      const response = await fetch(gateway + path, request)
      const { access_token: token } = (await response.json()) as { access_token?: string }
      if (token === undefined) throw new SystemFault(`the token endpoint answered ${response.status}`)
      return token
    },
  }
}

/** Returns the request for an access token: client credentials, RFC 6749 section 4.4. */
export function tokenRequest(client: ClientEntry, scopes?: readonly string[]) {
  const form = new URLSearchParams({ grant_type: 'client_credentials' })
  if (scopes !== undefined) form.set('scope', scopes.join(' '))
  const headers = { ...basicAuthorization(client), 'content-type': 'application/x-www-form-urlencoded' }
  return { method: 'POST', path: '/oauth2/token', headers, body: form.toString() }
}

/** Returns the header of `client_secret_basic` (RFC 6749 section 2.3.1). */
export function basicAuthorization({ id, secret }: { id: string; secret: string }): { authorization: string } {
  const encoded = [id, secret].map((part) => encodeURIComponent(part)).join(':')
  return { authorization: `Basic ${Buffer.from(encoded).toString('base64')}` }
}
