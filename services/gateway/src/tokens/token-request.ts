import { OAuthError } from './oauth-error.ts'

/** A parsed request of the token endpoint (RFC 6749). The client is not authenticated yet. */
export interface TokenRequest {
  clientId: string
  clientSecret: string
  grantType: string | undefined
  /** Undefined: all scopes of the client. */
  scopes: string[] | undefined
  resource: string | undefined
}

/**
 * Parses a token request: the client's credentials, by `client_secret_basic` or `client_secret_post` but not both, and the
 * form's parameters. Throws OAuthError.
 */
export function parseTokenRequest(
  headers: { authorization?: string | undefined; 'content-type'?: string | undefined },
  body: Buffer | undefined,
): TokenRequest {
  const form = parseForm(headers['content-type'], body)
  return {
    ...parseCredentials(headers.authorization, form),
    grantType: form.get('grant_type'),
    scopes: parseScopes(form.get('scope')),
    resource: form.get('resource'),
  }
}

function parseForm(contentType: string | undefined, body: Buffer | undefined): Map<string, string> {
  const mediaType = contentType?.split(';', 1)[0]?.trim().toLowerCase()
  if (mediaType !== 'application/x-www-form-urlencoded') {
    throw new OAuthError('invalid_request', 'Send the parameters as application/x-www-form-urlencoded.')
  }
  const form = new Map<string, string>()
  for (const [name, value] of new URLSearchParams(body?.toString('utf8') ?? '')) {
    if (form.has(name)) throw new OAuthError('invalid_request', `The parameter ${printable(name)} is there twice.`)
    // RFC 6749 section 3.2: a parameter without a value counts as absent.
    if (value !== '') form.set(name, value)
  }
  return form
}

function parseCredentials(
  authorization: string | undefined,
  form: Map<string, string>,
): { clientId: string; clientSecret: string } {
  const formId = form.get('client_id')
  const formSecret = form.get('client_secret')
  if (authorization === undefined) {
    if (formId === undefined || formSecret === undefined)
      throw new OAuthError('invalid_client', 'There are no client credentials.')
    return { clientId: formId, clientSecret: formSecret }
  }
  if (formSecret !== undefined)
    throw new OAuthError('invalid_request', 'Use one method of client authentication, not two.')
  const basic = parseBasic(authorization)
  if (formId !== undefined && formId !== basic.clientId) {
    throw new OAuthError('invalid_request', 'The client_id is not that of the Authorization header.')
  }
  return basic
}

function parseBasic(authorization: string): { clientId: string; clientSecret: string } {
  const encoded = /^basic +([A-Za-z0-9+/]+={0,2})$/i.exec(authorization)?.[1]
  const pair = encoded === undefined ? '' : Buffer.from(encoded, 'base64').toString('utf8')
  const colon = pair.indexOf(':')
  if (colon < 1) throw new OAuthError('invalid_client', 'The Authorization header holds no client credentials.')
  // RFC 6749 section 2.3.1: both parts are form-encoded before they are joined.
  return { clientId: formDecoded(pair.slice(0, colon)), clientSecret: formDecoded(pair.slice(colon + 1)) }
}

function formDecoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    throw new OAuthError('invalid_client', 'The Authorization header is not form-encoded.')
  }
}

function parseScopes(scope: string | undefined): string[] | undefined {
  if (scope === undefined) return undefined
  // RFC 6749 section 3.3: scope-token *( SP scope-token )
  if (!/^[\x21\x23-\x5b\x5d-\x7e]+(?: [\x21\x23-\x5b\x5d-\x7e]+)*$/.test(scope)) {
    throw new OAuthError('invalid_scope', 'Scopes are separated by single spaces.')
  }
  return [...new Set(scope.split(' '))]
}

// error_description may hold a part of ASCII only (RFC 6749 section 5.2).
const printable = (text: string) => text.replaceAll(/[^\x21\x23-\x5b\x5d-\x7e]/g, '?').slice(0, 64)
