import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import {
  AuthorizationError,
  connect,
  credsAuthenticator,
  nkeyAuthenticator,
  usernamePasswordAuthenticator,
  type Authenticator,
  type ConnectionOptions,
  type NatsConnection,
} from '@nats-io/transport-node'
import { Type, type Static } from 'typebox'

const File = Type.Optional(Type.String({ minLength: 1 }))

/** The settings of the connection to NATS, which every service's configuration has. */
export const natsSettings = {
  /** Servers, separated by commas: `nats://nats.example:4222`. Without credentials. */
  NATS_URL: Type.String({ minLength: 1 }),
  /** An nkey's seed (`SU...`), or a `.creds` file with a JWT. Read again at each connection. */
  NATS_CREDENTIALS_FILE: File,
  /** Instead of a credentials file: a user, and a file with its password, which is read again at each connection. */
  NATS_USER: File,
  NATS_PASSWORD_FILE: File,
  /** The certificates that the server's is checked against. Default: those that Node trusts. */
  NATS_CA_FILE: File,
  /** The client's own certificate and its key, for servers that ask for one. All three are read again at each connection. */
  NATS_CERT_FILE: File,
  NATS_KEY_FILE: File,
  /**
   * `required`: without TLS there is no connection. `mesh`: a service mesh encrypts, so we do not. `off`: on loopback only.
   * Default: `off` if every server is on loopback and no certificate is named, otherwise `required`.
   */
  NATS_TLS: Type.Optional(Type.String({ pattern: '^(required|mesh|off)$' })),
}
const NatsSettings = Type.Object(natsSettings)
export type NatsSettings = Readonly<Static<typeof NatsSettings>>

/** The settings of the connection to NATS do not fit together; the message says which and what to do. */
export class NatsSettingError extends Error {
  override name = 'NatsSettingError'
}

/** Returns the settings of the connection to NATS in an environment; undefined without `NATS_URL`. Empty ones are absent. */
export function natsSettingsOf(env: Readonly<Record<string, string | undefined>>): NatsSettings | undefined {
  const { NATS_URL } = env
  if (!NATS_URL) return undefined
  const named = Object.keys(natsSettings).flatMap((name) => (env[name] ? [[name, env[name]]] : []))
  return { ...(Object.fromEntries(named) as Partial<NatsSettings>), NATS_URL }
}

type Login = Pick<ConnectionOptions, 'servers' | 'tls' | 'ignoreAuthErrorAbort'> & {
  authenticator?: Authenticator
}

/**
 * Returns how to connect: servers, login and TLS. Each connection reads the login's file again, so a rotated one needs no
 * restart; while it cannot be read, the last content is used.
 *
 * @throws NatsSettingError, and Error if a file cannot be read now
 */
export function natsLogin(settings: NatsSettings): Login {
  const servers = settings.NATS_URL.split(',').map((server) => readServer(server.trim()))
  const tls = readTls(settings, servers)
  const authenticator = readAuthenticator(settings)
  return {
    servers: servers.map(({ host }) => host),
    // A password may be rotated on the server a moment before our file has it.
    ignoreAuthErrorAbort: true,
    ...(tls === undefined ? {} : { tls }),
    ...(authenticator === undefined ? {} : { authenticator }),
  }
}

/** Connects once, without retries, for a command or a test. Throws as `natsLogin`, and if there is no connection. */
export async function connectNats(settings: NatsSettings, options: ConnectionOptions = {}): Promise<NatsConnection> {
  try {
    return await connect({ ...natsLogin(settings), ...options })
  } catch (error) {
    if (!(error instanceof AuthorizationError)) throw error
    throw new Error(`${error.message}. ${refusedLogin}`, { cause: error })
  }
}

/** Advice for an operator when NATS refuses a login. */
export const refusedLogin =
  'NATS refuses the login. Check NATS_CREDENTIALS_FILE, or NATS_USER and NATS_PASSWORD_FILE, and that the server has the ' +
  'user (node scripts/print-nats-users.ts)'

interface Server {
  /** With its port. */
  host: string
  hostname: string
  isTls: boolean
  isLoopback: boolean
}

function readServer(text: string): Server {
  let url: URL
  try {
    url = new URL(text.includes('://') ? text : `nats://${text}`)
  } catch {
    throw new NatsSettingError(`NATS_URL: a server is no address such as nats://nats.example:4222`)
  }
  if (url.username !== '' || url.password !== '')
    throw new NatsSettingError(
      'NATS_URL has credentials, which would show in logs and lists of processes. ' +
        'Name them by NATS_CREDENTIALS_FILE, or by NATS_USER and NATS_PASSWORD_FILE.',
    )
  if (!['nats:', 'tls:'].includes(url.protocol) || url.hostname === '')
    throw new NatsSettingError(`NATS_URL: ${text} is no address such as nats://nats.example:4222`)
  const hostname = url.hostname.replace(/^\[|\]$/g, '')
  const isLoopback = hostname === 'localhost' || hostname === '::1' || /^127\.\d+\.\d+\.\d+$/.test(hostname)
  return { host: `${url.hostname}:${url.port || 4222}`, hostname, isTls: url.protocol === 'tls:', isLoopback }
}

/** Returns the TLS options; undefined if the connection needs no TLS. With them the client refuses a server that has none. */
function readTls(settings: NatsSettings, servers: readonly Server[]): ConnectionOptions['tls'] | undefined {
  const { NATS_TLS: mode, NATS_CA_FILE: caFile, NATS_CERT_FILE: certFile, NATS_KEY_FILE: keyFile } = settings
  if ((certFile === undefined) !== (keyFile === undefined))
    throw new NatsSettingError('NATS_CERT_FILE and NATS_KEY_FILE belong together: set both, or neither.')
  const wantsTls = caFile !== undefined || certFile !== undefined || servers.some(({ isTls }) => isTls)
  const far = servers.find(({ isLoopback }) => !isLoopback)
  if (mode === 'off' || mode === 'mesh') {
    if (wantsTls)
      throw new NatsSettingError(`NATS_TLS=${mode} contradicts tls:// in NATS_URL, NATS_CA_FILE or NATS_CERT_FILE.`)
    if (mode === 'off' && far !== undefined)
      throw new NatsSettingError(
        `NATS_TLS=off is for servers on loopback, which ${far.hostname} is not: whoever is on the way could read and forge ` +
          'events. Use NATS_TLS=required, or NATS_TLS=mesh if a service mesh encrypts the way.',
      )
    return undefined
  }
  if (mode !== 'required' && !wantsTls && far === undefined) return undefined
  const byAddress = servers.find(({ hostname }) => isIP(hostname) !== 0)
  if (byAddress !== undefined)
    throw new NatsSettingError(
      `NATS_URL names the server by its address ${byAddress.hostname}, but TLS checks its certificate by its name. ` +
        'Name it as its certificate does.',
    )
  for (const file of [caFile, certFile, keyFile]) if (file !== undefined) readFileSync(file)
  return {
    ...(caFile === undefined ? {} : { caFile }),
    ...(certFile === undefined || keyFile === undefined ? {} : { certFile, keyFile }),
  }
}

function readAuthenticator(settings: NatsSettings): Authenticator | undefined {
  const { NATS_CREDENTIALS_FILE: credentials, NATS_USER: user, NATS_PASSWORD_FILE: passwordFile } = settings
  if ((user === undefined) !== (passwordFile === undefined))
    throw new NatsSettingError('NATS_USER and NATS_PASSWORD_FILE belong together: set both, or neither.')
  if (user !== undefined && credentials !== undefined)
    throw new NatsSettingError('Set either NATS_CREDENTIALS_FILE, or NATS_USER and NATS_PASSWORD_FILE, not both.')
  if (user !== undefined && passwordFile !== undefined)
    return usernamePasswordAuthenticator(
      user,
      readAgain(passwordFile, (text) => text !== '', 'a password'),
    )
  if (credentials === undefined) return undefined
  const read = readAgain(credentials, isCredentials, "an nkey's seed (SU...) or a NATS credentials file")
  const byKey = nkeyAuthenticator(() => Buffer.from(read()))
  // The client expects the line break that ends the file.
  const byToken = credsAuthenticator(() => Buffer.from(`${read()}\n`))
  return (nonce) => (isSeed(read()) ? byKey(nonce) : byToken(nonce))
}

const isSeed = (text: string): boolean => /^SU[A-Z2-7]{56}$/.test(text)
const credentialsPattern =
  /^-+BEGIN NATS USER JWT-+\n\S+\n-+END NATS USER JWT-+\n[^]*-+BEGIN USER NKEY SEED-+\nSU\S+\n-+END USER NKEY SEED-+$/m
const isCredentials = (text: string): boolean => isSeed(text) || credentialsPattern.test(text)

/** Returns a function that reads a file's text, without white space around it. Throws now if it cannot; never later. */
function readAgain(file: string, isValid: (text: string) => boolean, what: string): () => string {
  const read = (): string => {
    const text = readFileSync(file, 'utf8').replaceAll('\r\n', '\n').trim()
    if (!isValid(text)) throw new NatsSettingError(`${file} has not ${what}.`)
    return text
  }
  let last = read()
  return () => {
    try {
      last = read()
    } catch {
      // It is being replaced. An error here would end the connection for good.
    }
    return last
  }
}
