import { createHmac, createPublicKey, generateKeyPairSync, sign, type KeyObject } from 'node:crypto'
import { decodeJwt, type JWK } from 'jose'
import type { CaseGroup } from '../../case.ts'
import { ensure, ensureText, isProblem, isSuccess } from '../../check.ts'
import { sharedSite } from '../../practice.ts'
import { specimenOf } from '../../specimens.ts'
import { basicAuthorization, type TestedSystem } from '../../tested-system.ts'

const base64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** Signs by the kind of the key, whatever the header says. */
function signed(header: object, claims: object, key: KeyObject | Uint8Array): string {
  const text = `${base64(header)}.${base64(claims)}`
  const made =
    key instanceof Uint8Array
      ? createHmac('sha256', key).update(text).digest()
      : sign(key.asymmetricKeyType === 'ed25519' ? null : 'sha256', Buffer.from(text), key)
  return `${text}.${made.toString('base64url')}`
}

/** The order of the group of Ed25519 (RFC 8032 section 5.1). */
const order = 2n ** 252n + 27742317777372353535851937790883648493n

/** Returns a second signature of the same message: its S is greater by the group's order, which a careless verifier takes. */
function malleated(signature: string): string {
  const bytes = Buffer.from(signature, 'base64url')
  let s = BigInt(`0x${Buffer.from(bytes.subarray(32).toReversed()).toString('hex')}`) + order
  for (let at = 32; at < 64; at++, s >>= 8n) bytes[at] = Number(s & 0xffn)
  return bytes.toString('base64url')
}

async function publishedKey({ ask }: TestedSystem): Promise<JWK> {
  const { body } = await ask({ method: 'GET', path: '/.well-known/jwks.json' })
  const [key] = (body as { keys: JWK[] }).keys
  if (key === undefined) throw new Error('no key is published')
  return key
}

/** Returns tokens that were made without any secret of the system, by what they try. */
async function forgeries(system: TestedSystem): Promise<Record<string, string>> {
  const token = await system.token(system.main)
  const [head = '', payload = '', signature = ''] = token.split('.')
  const claims = decodeJwt(token)
  const ours = await publishedKey(system)
  const known = { typ: 'at+jwt', kid: ours.kid }
  const pem = createPublicKey({ key: ours, format: 'jwk' })
  const own = generateKeyPairSync('ed25519')
  const ownJwk = { ...own.publicKey.export({ format: 'jwk' }), kid: ours.kid, alg: 'EdDSA' }
  const curve = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
  const by = (header: object, key: KeyObject | Uint8Array = own.privateKey) =>
    signed({ ...known, ...header }, claims, key)
  const spki = pem.export({ format: 'pem', type: 'spki' }) as string
  return {
    'HMAC with the public key as PEM': by({ alg: 'HS256' }, Buffer.from(spki)),
    'HMAC with the public key as PEM, trimmed': by({ alg: 'HS256' }, Buffer.from(spki.trim())),
    'HMAC with the public key as DER': by({ alg: 'HS256' }, pem.export({ format: 'der', type: 'spki' })),
    'HMAC with the bytes of the public key': by({ alg: 'HS256' }, Buffer.from(ours.x ?? '', 'base64url')),
    'HMAC with an empty key of a file': by({ alg: 'HS256', kid: '../../../../dev/null' }, Buffer.alloc(0)),
    'a kid that is a statement': by({ alg: 'EdDSA', kid: "x' union select 'key' --" }),
    'a kid that is an address': by({ alg: 'EdDSA', kid: 'https://attacker.example/key' }),
    'a kid that is an object': by({ alg: 'EdDSA', kid: { $ne: null } }),
    'a kid of the prototype': by({ alg: 'EdDSA', kid: '__proto__' }),
    'a key in its header': by({ alg: 'EdDSA', jwk: ownJwk }),
    'the address of its keys': by({ alg: 'EdDSA', jku: 'https://attacker.example/jwks.json' }),
    'the address of its certificate': by({ alg: 'EdDSA', x5u: 'https://attacker.example/chain.pem' }),
    'a certificate in its header': by({ alg: 'EdDSA', x5c: [Buffer.from(spki).toString('base64')] }),
    'another curve': by({ alg: 'ES256' }, curve),
    'another curve under our algorithm': by({ alg: 'EdDSA' }, curve),
    'an unknown critical header': by({ alg: 'EdDSA', crit: ['exp'], exp: 1 }),
    'an unencoded payload': by({ alg: 'EdDSA', crit: ['b64'], b64: false }),
    'no algorithm': by({}),
    'a list of algorithms': by({ alg: ['EdDSA', 'none'] }),
    'no signature under a list': `${base64({ ...known, alg: ['none'] })}.${payload}.`,
    'a second signature of the same message': `${head}.${payload}.${malleated(signature)}`,
    'the signature of zeros': `${head}.${payload}.${Buffer.alloc(64).toString('base64url')}`,
    'the small-order point': `${head}.${payload}.${Buffer.concat([Buffer.from([1]), Buffer.alloc(63)]).toString('base64url')}`,
    'the JSON form of a signature': JSON.stringify({ protected: head, payload, signature }),
    'the form of an encrypted token': `${base64({ alg: 'dir', enc: 'A256GCM', kid: ours.kid })}..AAAA.${payload}.AAAA`,
    'padded parts': token
      .split('.')
      .map((part) => `${part}=`)
      .join('.'),
    'more scopes under the old signature': `${head}.${base64({ ...claims, scope: 'sites:manage' })}.${signature}`,
    'a kilobyte of dots': '.'.repeat(1_024),
  }
}

export const tokenAttacks: CaseGroup = {
  title: 'attacks: tokens',
  cases: [
    {
      title: 'No token that is made without our keys is accepted, whatever its header says',
      async run(system) {
        for (const [name, token] of Object.entries(await forgeries(system))) {
          const answer = await system.call('listSites', { query: { pageSize: 1 }, as: { token } })
          ensure(answer.status === 401, answer, `a token with ${name} is not refused`)
          isProblem(answer, { status: 401, code: 'unauthorized' })
        }
        const as = { token: await system.token(system.main) }
        isSuccess(await system.call('listSites', { query: { pageSize: 1 }, as }), 'listSites', 200)
      },
    },
    {
      title: 'A token counts in the Authorization header only: not in the address, a cookie, a form or another header',
      async run(system) {
        const token = await system.token(system.main)
        const path = '/api/v1/sites'
        const places: { path: string; headers: Record<string, string> }[] = [
          { path: `${path}?access_token=${token}`, headers: {} },
          { path: `${path}?authorization=Bearer%20${token}`, headers: {} },
          { path, headers: { cookie: `access_token=${token}; authorization=Bearer ${token}` } },
          { path, headers: { 'x-authorization': `Bearer ${token}` } },
          { path, headers: { 'proxy-authorization': `Bearer ${token}` } },
          { path, headers: { 'x-forwarded-authorization': `Bearer ${token}` } },
          { path, headers: { 'x-access-token': token } },
          { path, headers: { 'x-site-api-key': token } },
          { path, headers: { authorization: token } },
          { path, headers: { authorization: `Basic ${Buffer.from(`${system.main.id}:${token}`).toString('base64')}` } },
        ]
        for (const place of places) isProblem(await system.ask({ method: 'GET', ...place }), { status: 401 })
      },
    },
    {
      title: 'A client gets no scope that it does not have, however it asks, and a narrow token stays narrow',
      async run(system) {
        const { SiteSlug } = await sharedSite(system)
        const narrow = await system.token(system.main, ['sites:read'])
        const call = { ...specimenOf('rotateSiteKey', SiteSlug), as: { token: narrow } }
        isProblem(await system.call('rotateSiteKey', call), { status: 403, code: 'scope_missing' })
        const client = system.reader ?? system.main
        const asked = [
          '*',
          'admin',
          'sites:*',
          'sites:read sites:everything',
          'SITES:MANAGE',
          'sites:manage,',
          '\u0000',
        ]
        const more = system.reader === undefined ? [] : ['sites:manage', 'sites:read sites:manage']
        for (const scope of [...asked, ...more]) {
          const form = new URLSearchParams({ grant_type: 'client_credentials', scope })
          const headers = { ...basicAuthorization(client), 'content-type': 'application/x-www-form-urlencoded' }
          const answer = await system.ask({ method: 'POST', path: '/oauth2/token', headers, body: form.toString() })
          ensure(answer.status === 400, answer, `the scope ${scope} is not refused`)
        }
        const known: readonly string[] = client.scopes
        const granted = String(decodeJwt(await system.token(client))['scope']).split(' ')
        ensureText(
          granted.every((scope) => known.includes(scope)),
          `granted beyond the client: ${granted.join(' ')}`,
        )
      },
    },
  ],
}
