import { OAuthError } from './oauth-error.ts'

/** A request of the token endpoint, read as RFC 6749 has it; who asks is not proven yet. */
export interface TokenRequest {
  clientId: string
  clientSecret: string
  grantType: string | undefined
  /** Absent: all that the client may have. */
  scopes: string[] | undefined
  resource: string | undefined
}

/**
 * Reads a token request: client authentication by `client_secret_basic` or `client_secret_post` (never both), and the
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
    // Section 3.2: a parameter without a value counts as left out.
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
  // Section 2.3.1: both parts are form-encoded before they are joined.
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
  // Section 3.3: scope-token *( SP scope-token )
  if (!/^[\x21\x23-\x5b\x5d-\x7e]+(?: [\x21\x23-\x5b\x5d-\x7e]+)*$/.test(scope)) {
    throw new OAuthError('invalid_scope', 'Scopes are separated by single spaces.')
  }
  return [...new Set(scope.split(' '))]
}

// error_description takes a part of ASCII only (section 5.2).
const printable = (text: string) => text.replaceAll(/[^\x21\x23-\x5b\x5d-\x7e]/g, '?').slice(0, 64)
