import { deepStrictEqual as same, match, ok } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { createRemoteJWKSet, decodeJwt, decodeProtectedHeader, jwtVerify } from 'jose'
import * as oauth from 'oauth4webapi'
import * as openid from 'openid-client'
import type { CaseGroup } from '../case.ts'
import { ensure, isProblem } from '../check.ts'
import type { Answer } from '../exchange.ts'
import { basicAuthorization, type TestedSystem } from '../tested-system.ts'

const type = 'application/x-www-form-urlencoded'

function ask(system: TestedSystem, form: Record<string, string> | string, headers: Record<string, string> = {}) {
  const body = typeof form === 'string' ? form : new URLSearchParams(form).toString()
  return system.askOnce({ method: 'POST', path: '/oauth2/token', headers: { 'content-type': type, ...headers }, body })
}

/** Checks an error response of RFC 6749 section 5.2. */
function isOAuthError(answer: Answer, code: string): void {
  ensure(answer.status === (code === 'invalid_client' ? 401 : 400), answer, `expected ${code}`)
  ensure(/^application\/json/.test(answer.headers['content-type'] ?? ''), answer, 'no JSON')
  ensure((answer.headers['cache-control'] ?? '').includes('no-store'), answer, 'no no-store')
  const { error, error_description: description, ...rest } = answer.body as Record<string, string>
  same([error, Object.keys(rest)], [code, []])
  match(description ?? '', /^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/)
  if (code === 'invalid_client') match(answer.headers['www-authenticate'] ?? '', /^Basic /)
}

const grant = { grant_type: 'client_credentials' }
const insecure = { [oauth.allowInsecureRequests]: true }

async function discovered(system: TestedSystem): Promise<oauth.AuthorizationServer> {
  const issuer = new URL(system.baseUrl)
  const response = await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...insecure })
  return oauth.processDiscoveryResponse(issuer, response)
}

export const tokenEndpoint: CaseGroup = {
  title: 'the token endpoint (RFC 6749, 8414, 9068)',
  cases: [
    {
      title: 'Either way of client authentication gets a token, and both together are refused',
      async run(system) {
        const { id, secret, scopes } = system.main
        const inForm = { client_id: id, client_secret: secret }
        for (const answer of [
          await ask(system, grant, basicAuthorization(system.main)),
          await ask(system, { ...grant, ...inForm }),
          await ask(system, { ...grant, client_id: id }, basicAuthorization(system.main)),
        ]) {
          ensure(answer.status === 200, answer, 'no token')
          const {
            access_token: token,
            token_type: kind,
            expires_in: seconds,
            scope,
          } = answer.body as Record<string, string>
          same([kind, seconds, scope?.split(' ').toSorted()], ['Bearer', 900, scopes.toSorted()])
          match(token ?? '', /^[\w-]+\.[\w-]+\.[\w-]+$/)
          same([answer.headers['cache-control'], answer.headers['pragma']], ['no-store', 'no-cache'])
        }
        isOAuthError(await ask(system, { ...grant, ...inForm }, basicAuthorization(system.main)), 'invalid_request')
      },
    },
    {
      title: 'A token is a JWT of RFC 9068, verified by the published keys alone',
      async run(system) {
        const scope = 'sites:read payments:read'
        const answer = await ask(system, { ...grant, scope }, basicAuthorization(system.main))
        const { access_token: token = '' } = answer.body as Record<string, string>
        const { alg, typ, kid } = decodeProtectedHeader(token)
        same([alg, typ, typeof kid], ['EdDSA', 'at+jwt', 'string'])
        const keys = createRemoteJWKSet(new URL(`${system.baseUrl}/.well-known/jwks.json`))
        const issuer = decodeJwt(token).iss ?? ''
        const { payload } = await jwtVerify(token, keys, { issuer, audience: issuer, typ: 'at+jwt' })
        const { sub, client_id: client, exp = 0, iat = 0, jti, ...rest } = payload
        same([sub, client, exp - iat, typeof jti], [system.main.id, system.main.id, 900, 'string'])
        same([rest['scope'], rest['practice_management_software']], [scope, system.main.practiceManagementSoftware])
      },
    },
    {
      title: 'Keys and metadata are public, and contain nothing private',
      async run(system) {
        const keys = await system.ask({ method: 'GET', path: '/.well-known/jwks.json' })
        for (const key of (keys.body as { keys: Record<string, string>[] }).keys) {
          same([key['kty'], key['crv'], key['use']], ['OKP', 'Ed25519', 'sig'])
          ensure(key['d'] === undefined, keys, 'a private key is published')
        }
        const metadata = await system.ask({ method: 'GET', path: '/.well-known/oauth-authorization-server' })
        const document = metadata.body as Record<string, unknown>
        same(document['issuer'], system.baseUrl)
        same(document['token_endpoint'], `${system.baseUrl}/oauth2/token`)
        same(document['jwks_uri'], `${system.baseUrl}/.well-known/jwks.json`)
        same(document['grant_types_supported'], ['client_credentials'])
        same(document['token_endpoint_auth_methods_supported'], ['client_secret_basic', 'client_secret_post'])
        ok((document['scopes_supported'] as string[]).includes('events:publish'))
      },
    },
    {
      title: 'oauth4webapi and openid-client work unchanged: discovery, both authentications, token validation',
      async run(system) {
        const server = await discovered(system)
        const { id, secret } = system.main
        for (const method of [oauth.ClientSecretBasic(secret), oauth.ClientSecretPost(secret)]) {
          const parameters = { scope: 'sites:read' }
          const client = { client_id: id }
          const response = await oauth.clientCredentialsGrantRequest(server, client, method, parameters, insecure)
          const result = await oauth.processClientCredentialsResponse(server, client, response)
          const headers = { authorization: `Bearer ${result.access_token}` }
          const request = new Request(`${system.baseUrl}/api/v1/sites`, { headers })
          const claims = await oauth.validateJwtAccessToken(server, request, server.issuer, insecure)
          same([claims.client_id, claims['scope']], [id, 'sites:read'])
        }
        const config = await openid.discovery(new URL(system.baseUrl), id, secret, undefined, {
          algorithm: 'oauth2',
          execute: [openid.allowInsecureRequests],
        })
        const tokens = await openid.clientCredentialsGrant(config)
        const as = { token: tokens.access_token }
        await system.success('listSites', { query: { pageSize: 1 }, as })
      },
    },
    {
      title: 'Wrong, unknown, missing and unreadable credentials are invalid_client',
      async run(system) {
        const unknown = `unknown-${randomUUID()}`
        const refused: readonly (readonly [Record<string, string>, Record<string, string>])[] = [
          [grant, {}],
          [grant, basicAuthorization({ id: unknown, secret: 'x' })],
          [grant, basicAuthorization({ id: unknown, secret: '' })],
          [{ ...grant, client_id: unknown, client_secret: 'x' }, {}],
          [{ ...grant, client_id: unknown }, {}],
          [grant, { authorization: 'Basic' }],
          [grant, { authorization: 'Basic !!!' }],
          [grant, { authorization: `Basic ${Buffer.from('no-colon').toString('base64')}` }],
          [grant, { authorization: `Basic ${Buffer.from('%zz:%zz').toString('base64')}` }],
          [grant, { authorization: 'Digest x' }],
        ]
        for (const [form, headers] of refused) isOAuthError(await ask(system, form, headers), 'invalid_client')
        const wrong = basicAuthorization({ ...system.main, secret: `${system.main.secret}x` })
        isOAuthError(await ask(system, grant, wrong), 'invalid_client')
      },
    },
    {
      title: 'A faulty request gets the errors of RFC 6749 section 5.2',
      async run(system) {
        const by = basicAuthorization(system.main)
        isOAuthError(await ask(system, {}, by), 'invalid_request')
        isOAuthError(await ask(system, { grant_type: '' }, by), 'invalid_request')
        isOAuthError(
          await ask(system, 'grant_type=client_credentials&grant_type=client_credentials', by),
          'invalid_request',
        )
        isOAuthError(await ask(system, { ...grant, client_id: 'another' }, by), 'invalid_request')
        for (const other of ['password', 'authorization_code', 'refresh_token', 'CLIENT_CREDENTIALS'])
          isOAuthError(await ask(system, { grant_type: other }, by), 'unsupported_grant_type')
        for (const scope of ['sites:everything', 'sites:read  payments:read', 'sites:read sites:everything', '"', 'ä'])
          isOAuthError(await ask(system, { ...grant, scope }, by), 'invalid_scope')
        const json = { ...by, 'content-type': 'application/json' }
        isOAuthError(await ask(system, JSON.stringify(grant), json), 'invalid_request')
        const repeated = { ...grant, scope: 'sites:read sites:read' }
        same(((await ask(system, repeated, by)).body as { scope: string }).scope, 'sites:read')
      },
    },
    {
      title: 'Unusual bodies are refused like any other fault, and large ones are 413',
      async run(system) {
        const by = basicAuthorization(system.main)
        const odd = [
          '',
          '&&&',
          'grant_type',
          'grant_type=%zz',
          'grant_type=%00',
          'grant_type[]=client_credentials',
          '\u0000',
          '__proto__=1',
          'ä=ä',
        ]
        for (const body of odd) {
          const answer = await ask(system, body, by)
          ensure(answer.status === 400, answer, 'not refused')
          isOAuthError(answer, /^grant_type=/.test(body) ? 'unsupported_grant_type' : 'invalid_request')
        }
        isProblem(await ask(system, `grant_type=${'x'.repeat(300_000)}`, by), { status: 413, code: 'body_too_large' })
      },
    },
    {
      title: 'Only POST gets a token',
      async run(system) {
        for (const method of ['GET', 'PUT', 'DELETE']) {
          const path = `/oauth2/token?${new URLSearchParams(grant)}`
          const answer = await system.ask({ method, path, headers: basicAuthorization(system.main) })
          isProblem(answer, { status: 405, code: 'method_not_allowed' })
        }
      },
    },
    {
      title:
        'After ten wrong secrets of a client in a minute wrong ones are 429, and the right secret and other clients get tokens',
      async run(system) {
        const id = `guessed-${randomUUID()}`
        for (let attempt = 0; attempt < 10; attempt++)
          isOAuthError(
            await ask(system, grant, basicAuthorization({ id, secret: `guess ${attempt}` })),
            'invalid_client',
          )
        for (const headers of [basicAuthorization({ id, secret: 'x' }), basicAuthorization({ id, secret: 'y' })])
          isProblem(await ask(system, grant, headers), { status: 429, code: 'rate_limited' })
        const { id: main } = system.main
        const wrong = () => ask(system, grant, basicAuthorization({ id: main, secret: `guess ${randomUUID()}` }))
        for (let attempt = 0; attempt < 12 && (await wrong()).status !== 429; attempt++);
        isProblem(await wrong(), { status: 429, code: 'rate_limited' })
        const right = await ask(system, grant, basicAuthorization(system.main))
        ensure(right.status === 200, right, 'strangers have locked the right secret out')
      },
    },
  ],
}
