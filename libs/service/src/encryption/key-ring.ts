import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
  type KeyObject,
} from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Logger } from 'pino'
import { openMountedFile } from '../mounted-files/index.ts'

/** Encryption keys by id. The current key encrypts; values of an older key can be read while that key is in the file. */
export interface KeyRing {
  /** The id of the key that encrypts. */
  readonly current: string
  /** Encrypts with AES-256-GCM. `context`, such as the row's id, must be the same when the value is decrypted. */
  encrypt(plaintext: string, context: string): string
  /** Decrypts. Throws if the value was changed, belongs to another context, or its key is not in the ring. */
  decrypt(encrypted: string, context: string): string
  /** Returns the signature of `text` for `purpose`, base64url. */
  sign(text: string, purpose: string): string
  /** Whether any key of the ring made `signature` for `text` and `purpose`. */
  isSigned(text: string, signature: string, purpose: string): boolean
}

const authTagLength = 16

/** Returns the id of the key that a value was encrypted with. */
export function encryptionKeyOf(encrypted: string): string {
  return encrypted.slice(0, encrypted.indexOf('.'))
}

/** Reads a key ring file: `{ "current": id, "keys": { id: base64 of 32 bytes } }`. Throws if it is not one. */
export function readKeyRing(file: string): KeyRing {
  return parseKeyRing(readFileSync(file, 'utf8'))
}

function parseKeyRing(text: string): KeyRing {
  const { current, keys } = JSON.parse(text) as { current: string; keys: Record<string, string> }
  return createKeyRing(current, new Map(Object.entries(keys).map(([id, key]) => [id, Buffer.from(key, 'base64')])))
}

/**
 * Opens a key ring file for a running service, which reads it again when it changes. A key must have reached every replica
 * before it becomes the current one: a replica cannot read what another has encrypted with a key that it does not have.
 */
export async function openKeyRing(path: string, log: Logger): Promise<KeyRing & Disposable> {
  const file = await openMountedFile({ path, log, parse: parseKeyRing })
  return {
    get current() {
      return file.current().current
    },
    encrypt: (plaintext, context) => file.current().encrypt(plaintext, context),
    decrypt: (encrypted, context) => file.current().decrypt(encrypted, context),
    sign: (text, purpose) => file.current().sign(text, purpose),
    isSigned: (text, signature, purpose) => file.current().isSigned(text, signature, purpose),
    [Symbol.dispose]: () => file[Symbol.dispose](),
  }
}

/** Makes a key ring of keys of 32 bytes each. Throws RangeError for another length. */
export function createKeyRing(current: string, keys: ReadonlyMap<string, Buffer>): KeyRing {
  for (const [id, key] of keys) if (key.byteLength !== 32) throw new RangeError(`key ${id} is not 32 bytes`)
  // Key objects: with plain bytes Node takes 15 us longer for each operation.
  const secrets = new Map([...keys].map(([id, key]) => [id, createSecretKey(key)]))
  const keyOf = (id: string): KeyObject => {
    const key = secrets.get(id)
    if (key === undefined) throw new Error(`key ${id} is not in the ring`)
    return key
  }
  const currentKey = keyOf(current)
  const macKeys = new Map<string, KeyObject>()
  const macKey = (id: string, purpose: string): KeyObject => {
    const name = `${id} ${purpose}`
    let derived = macKeys.get(name)
    if (derived === undefined) {
      derived = createSecretKey(Buffer.from(hkdfSync('sha256', keyOf(id), '', purpose, 32)))
      macKeys.set(name, derived)
    }
    return derived
  }
  const mac = (id: string, text: string, purpose: string) =>
    createHmac('sha256', macKey(id, purpose)).update(text).digest()

  return {
    current,
    encrypt(plaintext, context) {
      const nonce = randomBytes(12)
      const cipher = createCipheriv('aes-256-gcm', currentKey, nonce)
      cipher.setAAD(Buffer.from(context))
      const body = Buffer.concat([cipher.update(plaintext, 'utf8'), cipher.final()])
      return `${current}.${Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url')}`
    },
    decrypt(encrypted, context) {
      const dot = encrypted.indexOf('.')
      const bytes = Buffer.from(encrypted.slice(dot + 1), 'base64url')
      const nonce = bytes.subarray(0, 12)
      // Without a length Node accepts a tag of 4 bytes, which can be guessed.
      const decipher = createDecipheriv('aes-256-gcm', keyOf(encrypted.slice(0, dot)), nonce, { authTagLength })
      decipher.setAAD(Buffer.from(context))
      decipher.setAuthTag(bytes.subarray(12, 28))
      return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8')
    },
    sign: (text, purpose) => mac(current, text, purpose).toString('base64url'),
    isSigned(text, signature, purpose) {
      const given = Buffer.from(signature, 'base64url')
      return [...secrets.keys()].some((id) => {
        const wanted = mac(id, text, purpose)
        return given.byteLength === wanted.byteLength && timingSafeEqual(given, wanted)
      })
    },
  }
}
