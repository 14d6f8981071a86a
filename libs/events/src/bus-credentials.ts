import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { busUsers, printBusUsers, type BusUser } from '@frontdesk/contracts'
import { nkeys } from '@nats-io/transport-node'

/** Settings that name a server, and the key file of a user. */
export interface BusLogin {
  NATS_URL: string
  NATS_CREDENTIALS_FILE: string
}

/** The files by which the users of NATS log in, and the server's side of them. */
export interface BusCredentials {
  /** Returns the settings with which a user connects to a server. */
  settings(url: string, user: string): BusLogin
  /** The users as nats-server's configuration, without a secret. */
  serverConfig: string
}

/**
 * Opens a folder with one nkey's seed a user, `<user>.nk`. Makes the folder and each seed that it lacks, readable by its owner
 * only. While a seed is replaced, `<user>.next.nk` is the new one, and the server takes both. With `transition` the server also
 * takes connections without a key, as it did before it had users.
 */
export function openBusCredentials(
  folder: string,
  users: readonly BusUser[] = busUsers,
  { transition = false }: { transition?: boolean } = {},
): BusCredentials {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const fileOf = (user: string): string => join(folder, `${user}.nk`)
  function keysOf(user: string): string[] {
    const file = fileOf(user)
    if (!existsSync(file)) writeFileSync(file, `${newSeed()}\n`, { mode: 0o600 })
    return [file, fileOf(`${user}.next`)].filter((each) => existsSync(each)).map(publicKey)
  }
  const serverConfig = printBusUsers(users, keysOf, transition ? randomUUID() : undefined)
  return {
    settings: (url, user) => ({ NATS_URL: url, NATS_CREDENTIALS_FILE: fileOf(user) }),
    serverConfig,
  }
}

const newSeed = (): string => Buffer.from(nkeys.createUser().getSeed()).toString('utf8')
const publicKey = (file: string): string =>
  nkeys.fromSeed(Buffer.from(readFileSync(file, 'utf8').trim())).getPublicKey()
