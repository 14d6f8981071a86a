import type { ClientRights } from '@frontdesk/contracts'
import { repeat } from '@frontdesk/service/background'
import type { InternalClient } from '@frontdesk/service/calls'
import type { Logger } from 'pino'
import type { MountedFile } from '@frontdesk/service/mounted-files'
import type { Clients } from '../tokens/clients.ts'

/** The right that a subscription of a client lives by. */
const needed = 'webhooks:write'
const tellEveryMs = 30_000
/** Half of what a service takes in one body. */
const partCharacters = 128 * 1024

/** Returns the clients that may have subscriptions, in parts that fit into a body each. Together they cover all ids. */
export function partsOf(clients: Clients, mostCharacters = partCharacters): ClientRights[] {
  const entitled = [...clients.values()]
    .filter(({ scopes }) => scopes.includes(needed))
    .map(({ id, practiceManagementSoftware, organisations }) => ({
      id,
      practiceManagementSystems: practiceManagementSoftware,
      ...(organisations === undefined ? {} : { organisations }),
    }))
    .toSorted((one, other) => (one.id < other.id ? -1 : 1))
  const parts: ClientRights[] = [{ clients: [] }]
  let characters = 0
  for (const client of entitled) {
    const length = JSON.stringify(client).length
    const part = parts.at(-1)
    const last = part?.clients.at(-1)
    if (part !== undefined && last !== undefined && characters + length > mostCharacters) {
      part.upTo = last.id
      parts.push({ after: last.id, clients: [client] })
      characters = length
    } else {
      part?.clients.push(client)
      characters += length
    }
  }
  return parts
}

export interface ClientRightsDeps {
  clients: MountedFile<Clients>
  internal: Pick<InternalClient, 'call'>
  log: Logger
  signal: AbortSignal
}

/**
 * Tells webhook-delivery the rights of all clients until `signal` aborts: when the clients file has changed, and twice a minute. So a
 * subscription of a client that has lost a right is paused within seconds, whichever of the two was away meanwhile.
 */
export function tellClientRights({ clients, internal, log, signal }: ClientRightsDeps): Promise<void> {
  let told: { clients: Clients; at: number } | undefined
  let warned = false

  async function tell(): Promise<void> {
    const present = clients.current()
    const now = performance.now()
    if (told?.clients === present && now - told.at < tellEveryMs) return
    for (const part of partsOf(present)) {
      const headers = { 'content-type': 'application/json' }
      const { paused, resumed } = await internal.call(
        'tellClientRights',
        {},
        { bytes: Buffer.from(JSON.stringify(part)), headers },
      )
      if (paused + resumed > 0) log.info({ paused, resumed }, 'subscriptions follow the rights of their clients')
    }
    told = { clients: present, at: now }
    warned = false
  }

  function onError(error: unknown): void {
    if (!warned) log.warn({ err: error }, 'webhook-delivery could not be told the rights of clients; trying again')
    warned = true
  }

  return repeat({ everyMs: 1_000, retryMs: 5_000, signal, onError }, tell).stopped
}
