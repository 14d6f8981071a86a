import { FrontdeskProblem } from './problems.ts'

export interface ClientCredentials {
  clientId: string
  clientSecret: string
  /** A part of the client's scopes; absent: all of them. */
  scopes?: readonly string[]
}

/**
 * Gets access tokens by client credentials (RFC 6749 section 4.4) and keeps each until 30 s before it runs out.
 * Calls at the same time share one request.
 */
export function openTokenSource(baseUrl: string, credentials: ClientCredentials): (fresh: boolean) => Promise<string> {
  let held: { token: string; until: number } | undefined
  let asking: Promise<string> | undefined

  async function ask(): Promise<string> {
    const { clientId, clientSecret, scopes } = credentials
    const basic = Buffer.from(`${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`).toString('base64')
    const response = await fetch(`${baseUrl}/oauth2/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${basic}`, 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        ...(scopes === undefined ? {} : { scope: scopes.join(' ') }),
      }),
      signal: AbortSignal.timeout(10_000),
    })
    const text = await response.text()
    if (!response.ok) {
      const { error, error_description: description } = JSON.parse(text) as {
        error?: string
        error_description?: string
      }
      throw new FrontdeskProblem(response.status, {
        type: 'about:blank',
        title: description ?? 'The token endpoint refused the credentials',
        status: response.status,
        code: error ?? 'token_refused',
      })
    }
    const answer = JSON.parse(text) as { access_token: string; expires_in: number }
    held = { token: answer.access_token, until: Date.now() + (answer.expires_in - 30) * 1000 }
    return answer.access_token
  }

  return async (fresh) => {
    if (!fresh && held !== undefined && held.until > Date.now()) return held.token
    asking ??= ask().finally(() => (asking = undefined))
    return asking
  }
}
