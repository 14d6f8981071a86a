import { readFile } from 'node:fs/promises'
import { createSecureContext } from 'node:tls'
import type { Logger } from 'pino'
import { Type, type Static } from 'typebox'
import { repeat } from '../background/repeat.ts'
import { ConfigError } from '../process/config.ts'

/**
 * How calls between services are encrypted and authenticated. `mutual`: by these services themselves, with the certificates below.
 * `mesh`: by something in front of each process, such as a sidecar; they speak plain HTTP to it. Absent: not at all, which is for
 * one machine only.
 */
export const internalTlsSettings = {
  INTERNAL_TLS: Type.Optional(Type.Enum(['mutual', 'mesh'])),
  /** PEM: this service's certificate, with those in between; it is shown to callers and to called services. */
  INTERNAL_TLS_CERT_FILE: Type.Optional(Type.String()),
  /** PEM: its private key. */
  INTERNAL_TLS_KEY_FILE: Type.Optional(Type.String()),
  /** PEM: the authorities that sign our services' certificates, and no others; two while one replaces the other. */
  INTERNAL_TLS_CA_FILE: Type.Optional(Type.String()),
}

const Settings = Type.Object(internalTlsSettings)

/** A certificate, its key, and the authorities that are trusted, as PEM. */
export interface Certificates {
  cert: string
  key: string
  ca: string
}

/** The certificates of this service for calls between services. They are read again when their files change. */
export interface InternalTls extends Disposable {
  /** Returns the last certificates that belong together; another object after each change. */
  current(): Certificates
  /** Calls back after each change. */
  onChange(listener: (certificates: Certificates) => void): void
}

/**
 * Opens the certificates that the settings name; undefined without `INTERNAL_TLS=mutual`. Looks for changes every second, since a mounted
 * secret is switched at once and file watches miss it. If new files do not belong together, the last ones stay, with one log line.
 * Throws ConfigError if a setting is missing, and an Error if the first files cannot be used.
 */
export async function openInternalTls(
  settings: Readonly<Static<typeof Settings>>,
  log: Logger,
): Promise<InternalTls | undefined> {
  if (settings.INTERNAL_TLS !== 'mutual') return undefined
  const { INTERNAL_TLS_CERT_FILE: cert, INTERNAL_TLS_KEY_FILE: key, INTERNAL_TLS_CA_FILE: ca } = settings
  if (cert === undefined || key === undefined || ca === undefined) {
    const missing = Object.entries({ CERT: cert, KEY: key, CA: ca }).filter(([, file]) => file === undefined)
    throw new ConfigError(
      missing.map(([name]) => `INTERNAL_TLS_${name}_FILE is missing, which INTERNAL_TLS=mutual needs`),
    )
  }
  const files = { cert, key, ca }
  let current = await read(files)
  let reported: string | undefined
  const listeners: ((certificates: Certificates) => void)[] = []

  async function look(): Promise<void> {
    const next = await read(files)
    reported = undefined
    if (next.cert === current.cert && next.key === current.key && next.ca === current.ca) return
    current = next
    for (const listener of listeners) listener(next)
    log.info({ cert: files.cert }, 'the certificates for calls between services were read again')
  }

  const stop = new AbortController()
  const onError = (error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error)
    if (reason !== reported) log.error({ reason, ...files }, 'the certificates cannot be used; keeping the last ones')
    reported = reason
  }
  repeat({ everyMs: 1_000, signal: stop.signal, onError }, look)
  return {
    current: () => current,
    onChange: (listener) => void listeners.push(listener),
    [Symbol.dispose]: () => stop.abort(),
  }
}

/** Reads the files. Throws if one is no PEM, or if the key is not that of the certificate. */
async function read({ cert, key, ca }: Certificates): Promise<Certificates> {
  const [certText, keyText, caText] = await Promise.all([cert, key, ca].map((file) => readFile(file, 'utf8')))
  const certificates = { cert: certText ?? '', key: keyText ?? '', ca: caText ?? '' }
  createSecureContext(certificates)
  return certificates
}
