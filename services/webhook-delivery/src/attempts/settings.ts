import type { KeyObject } from 'node:crypto'
import { eventContentType } from '@frontdesk/contracts'
import type { Pool } from '@frontdesk/database'
import { LRUCache } from 'lru-cache'
import type { Logger } from 'pino'
import type { Subscription } from '../db.ts'
import { isReservedHeader } from '../subscriptions/domain.ts'
import { signingKey, type SubscriptionCipher } from '../subscriptions/secrets.ts'
import { readSettings } from '../subscriptions/store.ts'

/** Everything needed to send to a subscription, decrypted. */
export interface SendSettings {
  version: number
  origin: string
  path: string
  /** Names and values in turn, the same for every request. */
  headers: readonly string[]
  key: KeyObject
  previousKey: KeyObject | undefined
  /** Epoch milliseconds. */
  previousKeyEndsAt: number
}

export interface SettingsCache {
  /** The settings of a subscription, of `version` or newer; undefined while they have to be read. */
  peek(subscriptionId: string, version: number): SendSettings | undefined
  /** The same, read if needed; undefined if they cannot be decrypted (a key is missing). Rejects while Postgres is away. */
  get(subscriptionId: string, version: number): Promise<SendSettings | undefined>
}

/** Keeps decrypted settings by id and version. A claim names the version it needs, so no entry has to be invalidated. */
export function createSettingsCache(pool: Pool, cipher: SubscriptionCipher, log: Logger): SettingsCache {
  const cache = new LRUCache<string, SendSettings>({ max: 10_000 })
  let asked: { ids: Set<string>; answer: Promise<Map<string, SendSettings>> } | undefined
  let reading: Promise<unknown> = Promise.resolve()

  function peek(subscriptionId: string, version: number): SendSettings | undefined {
    const known = cache.get(subscriptionId)
    return known !== undefined && known.version >= version ? known : undefined
  }

  async function read(ids: Set<string>): Promise<Map<string, SendSettings>> {
    // What is asked for from now on is read together when this statement has ended. Requests to endpoints that nobody has tried
    // begin by the hundred: a statement for each would take all connections, and outcomes would wait for one.
    asked = undefined
    const rows = await readSettings(pool, [...ids])
    const found = new Map<string, SendSettings>()
    for (const row of rows) {
      try {
        found.set(row.id, sendSettings(row, cipher))
      } catch (error) {
        log.error({ err: error, subscriptionId: row.id }, 'the settings of a subscription cannot be read')
      }
    }
    for (const [id, settings] of found) cache.set(id, settings)
    return found
  }

  return {
    peek,
    async get(subscriptionId, version) {
      const known = peek(subscriptionId, version)
      if (known !== undefined) return known
      if (asked === undefined) {
        const ids = new Set<string>()
        asked = { ids, answer: reading.then(() => read(ids)) }
        reading = asked.answer.catch(() => {})
      }
      asked.ids.add(subscriptionId)
      return (await asked.answer).get(subscriptionId)
    },
  }
}

function sendSettings(row: Subscription, cipher: SubscriptionCipher): SendSettings {
  const url = new URL(row.url)
  const own = cipher.decryptHeaders(row.id, row.encryptedHeaders).filter((header) => !isReservedHeader(header.Name))
  const names = new Set(own.map((header) => header.Name.toLowerCase()))
  return {
    version: row.version,
    origin: url.origin,
    path: url.pathname + url.search,
    headers: [
      'content-type',
      eventContentType,
      ...(names.has('user-agent') ? [] : ['user-agent', 'Frontdesk-Webhooks/1.0']),
      ...own.flatMap((header) => [header.Name, header.Value]),
    ],
    key: signingKey(cipher.decryptSecret(row.id, row.encryptedSecret)),
    previousKey:
      row.encryptedPreviousSecret === null
        ? undefined
        : signingKey(cipher.decryptSecret(row.id, row.encryptedPreviousSecret)),
    previousKeyEndsAt: row.previousSecretExpiresAt?.getTime() ?? 0,
  }
}
