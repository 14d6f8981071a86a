import { scopes as allScopes } from '@frontdesk/contracts'
import { problem, type ProblemError } from '@frontdesk/problems'
import { asProblem, sendProblem } from '@frontdesk/service/http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { MountedFile } from '@frontdesk/service/mounted-files'
import type { RateLimits } from '../rate-limits/limits.ts'
import type { GatewayMetrics } from '../metrics.ts'
import { accessTokenSeconds, grantedScopes, signAccessToken } from './access-tokens.ts'
import { isSecretOf, type Client, type Clients } from './clients.ts'
import { OAuthError } from './oauth-error.ts'
import type { TokenKeys } from './token-keys.ts'
import { parseTokenRequest, type TokenRequest } from './token-request.ts'

export interface TokenRoutesDeps {
  publicUrl: string
  clients: MountedFile<Clients>
  keys: MountedFile<TokenKeys>
  limits: RateLimits
  metrics: GatewayMetrics
}

const published = { 'cache-control': 'public, max-age=300' }

export const tokenEndpoint = '/oauth2/token'
/** A client id, a secret and all scopes are a tenth of it. Parsing 256 KiB of parameters took 50 ms. */
const largestTokenRequest = 16 * 1024

/** Registers the token endpoint (RFC 6749, client credentials), its metadata (RFC 8414) and the keys of access tokens. */
export function tokenRoutes(app: FastifyInstance, deps: TokenRoutesDeps): void {
  const { publicUrl, keys } = deps
  const metadata = {
    issuer: publicUrl,
    token_endpoint: `${publicUrl}${tokenEndpoint}`,
    jwks_uri: `${publicUrl}/.well-known/jwks.json`,
    scopes_supported: allScopes,
    // A required member; without an authorization endpoint there is no response type.
    response_types_supported: [],
    grant_types_supported: ['client_credentials'],
    token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
  }
  app.get('/.well-known/oauth-authorization-server', async (_request, reply) => {
    reply.headers(published)
    return metadata
  })
  app.get('/.well-known/jwks.json', async (_request, reply) => {
    reply.headers(published)
    return keys.current().published
  })
  app.post(tokenEndpoint, {
    bodyLimit: largestTokenRequest,
    onRequest: async (_request, reply) => {
      // RFC 6749 section 5.1: on every answer that may hold a token.
      reply.headers({ 'cache-control': 'no-store', pragma: 'no-cache' })
    },
    errorHandler: (error, request, reply) => {
      if (error instanceof OAuthError) void sendOAuthError(error, reply)
      else void sendProblem(refusalOf(error), request, reply)
    },
    handler: async (request) => issueToken(deps, request),
  })
}

function refusalOf(error: unknown): ProblemError {
  const refusal = asProblem(error)
  return refusal.code === 'body_too_large' ? problem('body_too_large', 'A token request may have 16 KiB.') : refusal
}

async function issueToken(deps: TokenRoutesDeps, request: FastifyRequest): Promise<object> {
  const { publicUrl, keys, metrics } = deps
  const asked = parseTokenRequest(request.headers, request.body as Buffer | undefined)
  const client = authenticate(deps, asked, request)
  if (asked.grantType === undefined) throw new OAuthError('invalid_request', 'The parameter grant_type is missing.')
  if (asked.grantType !== 'client_credentials') {
    throw new OAuthError('unsupported_grant_type', 'The only grant type here is client_credentials.')
  }
  if (asked.resource !== undefined && asked.resource !== publicUrl) {
    throw new OAuthError('invalid_target', 'Tokens of this server are for its own API only.')
  }
  const scopes = grantedScopes(client, asked.scopes)
  const token = await signAccessToken(keys.current(), publicUrl, client, scopes, Date.now())
  metrics.logins.inc({ outcome: 'issued' })
  request.log.info({ ...loginFacts(asked, request), outcome: 'Succeeded' }, 'token issued')
  return { access_token: token, token_type: 'Bearer', expires_in: accessTokenSeconds, scope: scopes.join(' ') }
}

/** Returns the client that asks. Throws `invalid_client`, and `rate_limited` for one wrong secret too many. */
function authenticate(deps: TokenRoutesDeps, asked: TokenRequest, request: FastifyRequest): Client {
  const { clients, limits, metrics } = deps
  const client = clients.current().get(asked.clientId)
  if (isSecretOf(client, asked.clientSecret) && client !== undefined) return client
  metrics.logins.inc({ outcome: 'refused' })
  request.log.warn({ ...loginFacts(asked, request), outcome: 'Refused' }, 'login refused')
  limits.loginFailed(asked.clientId, request.ip)
  throw new OAuthError('invalid_client', 'The client credentials are not valid.')
}

/** Returns what an audit line tells of a login. */
function loginFacts({ clientId }: TokenRequest, { ip, requestId, traceId }: FastifyRequest): object {
  const client = `client:${clientId.slice(0, 128)}`
  return { audit: true, operation: 'issueToken', client, address: ip, requestId, traceId }
}

/** Sends an error response of RFC 6749 section 5.2. */
function sendOAuthError(error: OAuthError, reply: FastifyReply): FastifyReply {
  if (error.code === 'invalid_client') reply.header('www-authenticate', 'Basic realm="frontdesk", charset="UTF-8"')
  return reply
    .code(error.code === 'invalid_client' ? 401 : 400)
    .header('content-type', 'application/json; charset=utf-8')
    .send({ error: error.code, error_description: error.message })
}
