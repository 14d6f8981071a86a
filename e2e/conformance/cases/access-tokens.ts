import { deepStrictEqual as same } from 'node:assert/strict'
import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { decodeJwt, importJWK, SignJWT, UnsecuredJWT, type JWK, type JWTPayload } from 'jose'
import type { CaseGroup } from '../case.ts'
import { ensure, isProblem, isSuccess } from '../check.ts'
import type { Answer } from '../exchange.ts'
import { clientOf, withClients } from '../gateway-files.ts'
import { openSite } from '../practice.ts'
import type { TestedSystem } from '../tested-system.ts'

const use = (system: TestedSystem, token: string): Promise<Answer> =>
  system.call('listSites', { query: { pageSize: 1 }, as: { token } })

function isInvalidToken(answer: Answer): void {
  isProblem(answer, { status: 401, code: 'unauthorized' })
  ensure(
    /error="invalid_token"/.test(answer.headers['www-authenticate'] ?? ''),
    answer,
    'the challenge lacks invalid_token',
  )
}

const base64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

async function tokenKeys(system: TestedSystem): Promise<{ file: string; text: string; keys: JWK[] }> {
  const file = join(system.control?.keysFolder ?? '', 'token-keys.json')
  const text = await readFile(file, 'utf8')
  return { file, text, keys: (JSON.parse(text) as { keys: JWK[] }).keys }
}

/** Signs the main client's token with the server's own key after `change`. */
async function forged(
  system: TestedSystem,
  change: (claims: JWTPayload, header: Record<string, string>) => void,
): Promise<string> {
  const [key] = (await tokenKeys(system)).keys
  if (key === undefined) throw new Error('there is no key')
  const claims = decodeJwt(await system.token(system.main))
  const header = { alg: 'EdDSA', typ: 'at+jwt', kid: String(key.kid) }
  change(claims, header)
  return new SignJWT(claims).setProtectedHeader(header).sign(await importJWK(key, 'EdDSA'))
}

export const accessTokens: CaseGroup = {
  title: 'access tokens',
  cases: [
    {
      title: 'A token that was changed in any part is 401 invalid_token',
      async run(system) {
        const token = await system.token(system.main)
        const [header = '', payload = '', signature = ''] = token.split('.')
        const claims = decodeJwt(token)
        const flip = (text: string, at: number) =>
          text.slice(0, at) + (text[at] === 'A' ? 'B' : 'A') + text.slice(at + 1)
        const tampered = [
          `${header}.${payload}.${flip(signature, 10)}`,
          `${header}.${payload}.`,
          `${header}.${payload}`,
          `${header}.${flip(payload, 12)}.${signature}`,
          `${header}.${base64({ ...claims, scope: 'sites:manage' })}.${signature}`,
          `${header}.${base64({ ...claims, exp: Number(claims.exp) + 86_400 })}.${signature}`,
          `${base64({ alg: 'EdDSA', typ: 'JWT', kid: 'x' })}.${payload}.${signature}`,
          `${token}.${signature}`,
          token.toUpperCase(),
        ]
        for (const one of tampered) isInvalidToken(await use(system, one))
        isSuccess(await use(system, token), 'listSites', 200)
      },
    },
    {
      title: 'Unsigned tokens and tokens signed with foreign keys are 401 invalid_token',
      async run(system) {
        const token = await system.token(system.main)
        const claims = decodeJwt(token)
        const published = await system.ask({ method: 'GET', path: '/.well-known/jwks.json' })
        const [ours] = (published.body as { keys: JWK[] }).keys
        const kid = String(ours?.kid)
        const signature = token.split('.')[2] ?? ''
        const own = generateKeyPairSync('ed25519').privateKey
        const sign = (header: { alg: string; kid?: string }) =>
          new SignJWT(claims).setProtectedHeader({ typ: 'at+jwt', ...header }).sign(own)
        const hmac = (secret: string) =>
          new SignJWT(claims).setProtectedHeader({ typ: 'at+jwt', alg: 'HS256', kid }).sign(Buffer.from(secret))
        const foreign = [
          new UnsecuredJWT(claims).encode(),
          ...['none', 'None', 'NONE'].flatMap((alg) => [
            `${base64({ alg, typ: 'at+jwt', kid })}.${base64(claims)}.`,
            `${base64({ alg, typ: 'at+jwt', kid })}.${base64(claims)}.${signature}`,
          ]),
          await sign({ alg: 'EdDSA', kid }),
          await sign({ alg: 'EdDSA', kid: `unknown-${randomUUID()}` }),
          await sign({ alg: 'EdDSA' }),
          await hmac(String(ours?.x)),
          await hmac(JSON.stringify(ours)),
        ]
        for (const one of foreign) isInvalidToken(await use(system, one))
      },
    },
    {
      title: 'A token signed by the server is 401 when it has expired or is meant for another use',
      needs: ['files'],
      async run(system) {
        const now = Math.floor(Date.now() / 1000)
        const changes: Record<string, (claims: JWTPayload, header: Record<string, string>) => void> = {
          'expired a minute ago': (claims) => Object.assign(claims, { exp: now - 60, iat: now - 960 }),
          'for another audience': (claims) => Object.assign(claims, { aud: 'https://other.example' }),
          'of another issuer': (claims) => Object.assign(claims, { iss: 'https://other.example' }),
          'not yet good': (claims) => Object.assign(claims, { nbf: now + 600 }),
          'without an end': (claims) => delete claims.exp,
          'without an audience': (claims) => delete claims.aud,
          'of no client': (claims) => delete claims['client_id'],
          'of an unknown client': (claims) => Object.assign(claims, { client_id: 'nobody', sub: 'nobody' }),
          'no access token': (_claims, header) => Object.assign(header, { typ: 'JWT' }),
          'of an unknown key': (_claims, header) => Object.assign(header, { kid: 'unknown' }),
        }
        isSuccess(await use(system, await forged(system, () => {})), 'listSites', 200)
        for (const [name, change] of Object.entries(changes)) {
          const answer = await use(system, await forged(system, change))
          ensure(answer.status === 401, answer, `a token ${name} is not refused`)
          isInvalidToken(answer)
        }
      },
    },
    {
      title: 'A token permits no more than its client may do today, whatever the token says',
      needs: ['files'],
      async run(system) {
        const greedy = await forged(system, (claims) => {
          claims['practice_management_software'] = ['OpenDental', 'Dentrix', 'Optomate']
          claims['scope'] = 'sites:read sites:manage everything'
        })
        const headers = { 'x-practice-management-software': 'Dentrix' }
        const call = { body: { Name: 'x' }, headers, as: { token: greedy } }
        isProblem(await system.call('createSite', call), { status: 403 })
        const without = await forged(system, (claims) => Object.assign(claims, { scope: '' }))
        isProblem(await use(system, without), { status: 403, code: 'scope_missing' })
      },
    },
    {
      title: 'Token keys rotate without a break: the new key signs, and the old one is valid until it is removed',
      needs: ['files'],
      timeoutMs: 40_000,
      async run(system) {
        const { file, text, keys } = await tokenKeys(system)
        const pair = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' })
        const fresh = { ...pair, kid: `access:${randomUUID()}`, alg: 'EdDSA', use: 'sig' }
        const old = await system.token(system.main)
        const published = async () => {
          const { body } = await system.ask({ method: 'GET', path: '/.well-known/jwks.json' })
          return (body as { keys: JWK[] }).keys.map(({ kid }) => String(kid))
        }
        const publish = async (wanted: object[]) => {
          await writeFile(file, JSON.stringify({ keys: wanted }))
          const kids = wanted.map((key) => (key as JWK).kid).join()
          for (let tries = 0; (await published()).join() !== kids; tries++) {
            if (tries > 100) throw new Error('the published keys are not those of the file')
            await wait(100)
          }
        }
        try {
          await publish([fresh, ...keys])
          const signed = await system.newToken(system.main)
          const [header = ''] = signed.split('.')
          same((JSON.parse(Buffer.from(header, 'base64url').toString()) as JWK).kid, fresh.kid)
          for (const token of [old, signed]) isSuccess(await use(system, token), 'listSites', 200)
          await publish([fresh])
          isInvalidToken(await use(system, old))
        } finally {
          await writeFile(file, text)
        }
        while ((await published()).join() !== keys.map(({ kid }) => kid).join()) await wait(100)
        isSuccess(await use(system, old), 'listSites', 200)
      },
    },
    {
      title:
        'A client restricted to organisations sees and creates only their sites, and must name one if it has several',
      shows: ['createSite Unprocessable'],
      needs: ['files'],
      timeoutMs: 40_000,
      async run(system) {
        const [ours, other, second] = [await openSite(system), await openSite(system), await openSite(system)]
        const pms = system.main.practiceManagementSoftware
        const one = clientOf({ practiceManagementSoftware: pms, organisations: [ours.OwningOrganisationSlug] })
        const both = [ours.OwningOrganisationSlug, second.OwningOrganisationSlug]
        const two = clientOf({ practiceManagementSoftware: pms, organisations: both })
        await withClients(system, [one, two], async () => {
          const as = { token: await system.token(one.entry) }
          const { Items } = (await system.success('listSites', { as })) as { Items: { SiteSlug: string }[] }
          same(
            Items.map(({ SiteSlug }) => SiteSlug),
            [ours.SiteSlug],
          )
          const identity = { params: { SiteIdentifier: other.SiteSlug }, as }
          isProblem(await system.call('getSiteIdentity', identity), { status: 404, code: 'site_not_found' })
          const accounts = { params: { SiteSlug: other.SiteSlug }, as }
          isProblem(await system.call('listAccounts', accounts), { status: 404, code: 'site_not_found' })
          await system.success('listAccounts', { params: { SiteSlug: ours.SiteSlug }, as })
          const made = await openSite(system, { as })
          same(made.OwningOrganisationSlug, ours.OwningOrganisationSlug)
          const theirs = { Name: 'x', OwningOrganisationSlug: other.OwningOrganisationSlug }
          isProblem(await system.call('createSite', { body: theirs, as }), {
            status: 422,
            code: 'organisation_unknown',
          })

          const asTwo = { token: await system.token(two.entry) }
          const unnamed = await system.call('createSite', { body: { Name: 'x' }, as: asTwo })
          isProblem(unnamed, { status: 422, code: 'organisation_required' })
          await openSite(system, { as: asTwo, body: { OwningOrganisationSlug: both[1] } })
        })
      },
    },
  ],
}
