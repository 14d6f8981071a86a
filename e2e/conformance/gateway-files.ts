import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { scopes } from '@frontdesk/contracts'
import { basicAuthorization, type ClientEntry, type TestedSystem } from './tested-system.ts'

/** A client that a case adds to the gateway's file for a while. */
export interface AddedClient {
  entry: ClientEntry
  settings: Record<string, unknown>
}

/** Returns a new client with every scope. `settings`: members of its entry in the clients' file. */
export function clientOf(settings: {
  practiceManagementSoftware: readonly string[]
  [member: string]: unknown
}): AddedClient {
  const entry = {
    id: `conformance-${randomUUID()}`,
    secret: randomBytes(32).toString('base64url'),
    scopes,
    practiceManagementSoftware: settings.practiceManagementSoftware,
  }
  return { entry, settings: { scopes, ...settings } }
}

/** Runs `work` while the gateway knows additional clients. */
export async function withClients(
  system: TestedSystem,
  added: readonly AddedClient[],
  work: () => Promise<void>,
): Promise<void> {
  const file = join(system.control?.keysFolder ?? '', 'clients.json')
  const before = await readFile(file, 'utf8')
  const { clients } = JSON.parse(before) as { clients: object[] }
  const more = added.map(({ entry: { id, secret }, settings }) => ({
    id,
    secretSha256: createHash('sha256').update(secret).digest('hex'),
    ...settings,
  }))
  await writeFile(file, JSON.stringify({ clients: [...clients, ...more] }))
  try {
    const [first] = added
    if (first !== undefined) await known(system, first.entry)
    await work()
  } finally {
    await writeFile(file, before)
  }
}

/** Replaces the secrets of a client that `withClients` has added; the last one is new to the gateway, or the only one that it keeps. */
export async function replaceSecrets(
  system: TestedSystem,
  { entry }: AddedClient,
  secrets: readonly string[],
): Promise<void> {
  const file = join(system.control?.keysFolder ?? '', 'clients.json')
  const { clients } = JSON.parse(await readFile(file, 'utf8')) as { clients: { id: string }[] }
  const secretSha256 = secrets.map((secret) => createHash('sha256').update(secret).digest('hex'))
  const changed = clients.map((client) => (client.id === entry.id ? { ...client, secretSha256 } : client))
  await writeFile(file, JSON.stringify({ clients: changed }))
}

/** Waits until the gateway has read its file again, which it does every second. */
export async function known(system: TestedSystem, client: ClientEntry, isKnown = true): Promise<void> {
  for (let tries = 0; tries < 8; tries++) {
    await wait(1_100)
    const headers = { ...basicAuthorization(client), 'content-type': 'application/x-www-form-urlencoded' }
    const body = 'grant_type=client_credentials'
    const { status } = await system.ask({ method: 'POST', path: '/oauth2/token', headers, body })
    if ((status === 200) === isKnown) return
  }
  throw new Error('the gateway has not read its clients again')
}
