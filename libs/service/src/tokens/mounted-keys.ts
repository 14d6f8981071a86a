import type { ServiceName } from '@frontdesk/contracts'
import type { Logger } from 'pino'
import { openMountedFile } from '../mounted-files/index.ts'
import { openTokenIssuer, openTokenVerifier, type TokenIssuer, type TokenVerifier } from './internal-tokens.ts'

/**
 * Opens the issuer of a service, as `openTokenIssuer` does. It signs with the key that the file has now: the public keys of the
 * other services must have it before.
 */
export async function openMountedIssuer(
  service: ServiceName,
  path: string,
  log: Logger,
): Promise<TokenIssuer & Disposable> {
  const file = await openMountedFile({ path, log, parse: () => openTokenIssuer(service, path) })
  return {
    service,
    mint: (...call) => file.current().mint(...call),
    sign: (...call) => file.current().sign(...call),
    [Symbol.dispose]: () => file[Symbol.dispose](),
  }
}

/**
 * Opens the verifier of a service, as `openTokenVerifier` does. It is made anew when the file with the public keys of all services
 * changes, so a key that was removed is refused within a second or two, also for tokens that were accepted before.
 */
export async function openMountedVerifier(
  audience: ServiceName,
  path: string,
  log: Logger,
): Promise<TokenVerifier & Disposable> {
  const file = await openMountedFile({ path, log, parse: () => openTokenVerifier(audience, path) })
  const verify: TokenVerifier = (...call) => file.current()(...call)
  return Object.assign(verify, { [Symbol.dispose]: () => file[Symbol.dispose]() })
}
