import type { ServiceName } from '@frontdesk/contracts'
import type { Logger } from 'pino'
import { openMountedFile } from '../mounted-files/index.ts'
import { internalKeys, parsePrivateKeys, parsePublicKeys, type InternalKeys, type KeyFiles } from './internal-keys.ts'
import { issuerWith, servedRequests, verifierWith, type TokenIssuer, type TokenVerifier } from './internal-tokens.ts'

/** Opens the issuer of a service, as `openTokenIssuer` does. It uses the keys that the files have now. */
export async function openMountedIssuer(
  service: ServiceName,
  files: KeyFiles,
  log: Logger,
): Promise<TokenIssuer & Disposable> {
  const mounted = await mountedKeys(service, files, log, (keys) => issuerWith(service, keys))
  return {
    service,
    mint: (...call) => mounted.current().mint(...call),
    sign: (...call) => mounted.current().sign(...call),
    [Symbol.dispose]: () => mounted[Symbol.dispose](),
  }
}

/**
 * Opens the verifier of a service, as `openTokenVerifier` does. It is made anew when a file changes, so a key that was removed is refused
 * within a second or two, also for tokens that were accepted before.
 */
export async function openMountedVerifier(
  audience: ServiceName,
  files: KeyFiles,
  log: Logger,
): Promise<TokenVerifier & Disposable> {
  const served = servedRequests()
  const mounted = await mountedKeys(audience, files, log, (keys) => verifierWith(audience, keys, Date.now, served))
  const verify: TokenVerifier = (...call) => mounted.current()(...call)
  return Object.assign(verify, { [Symbol.dispose]: () => mounted[Symbol.dispose]() })
}

/** Makes something from a service's keys, and anew after each change of one of the files. */
async function mountedKeys<Made>(
  service: ServiceName,
  files: KeyFiles,
  log: Logger,
  make: (keys: InternalKeys) => Made,
): Promise<{ current(): Made } & Disposable> {
  using opened = new DisposableStack()
  const parse = (text: string) => parsePrivateKeys(service, text)
  const own = opened.use(await openMountedFile({ path: files.INTERNAL_KEY_FILE, log, parse }))
  const all = opened.use(await openMountedFile({ path: files.INTERNAL_JWKS_FILE, log, parse: parsePublicKeys }))
  function makeNow() {
    const [mine, publicKeys] = [own.current(), all.current()]
    return { mine, publicKeys, made: make(internalKeys(mine, publicKeys)) }
  }
  let latest = makeNow()
  const watched = opened.move()
  return {
    current() {
      if (latest.mine !== own.current() || latest.publicKeys !== all.current()) latest = makeNow()
      return latest.made
    },
    [Symbol.dispose]: () => watched.dispose(),
  }
}
