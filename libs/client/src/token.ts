import { exchange, type Outcome } from './exchange.ts'
import { untilAborted } from './patience.ts'

export interface ClientCredentials {
  clientId: string
  clientSecret: string
  /** The scopes to ask for. Default: all scopes of your client. */
  scopes?: readonly string[]
}

/** A source of access tokens. */
export interface TokenSource {
  /** Returns the current token or a new one, or the failure of the token endpoint. Throws only if `signal` aborts. */
  get(signal: AbortSignal | undefined): Promise<{ ok: true; token: string } | Extract<Outcome, { ok: false }>>
  /** Forgets a refused token, unless a new one has replaced it already. */
  refused(token: string): void
}

const timeoutMs = 10_000
/** A token must still be valid when the request arrives. */
const spareSeconds = 30

/**
 * Opens a source of access tokens by client credentials (RFC 6749 section 4.4). It keeps each token until 30 s before it
 * expires. Simultaneous calls share one request.
 */
export function openTokenSource(baseUrl: string, credentials: ClientCredentials): TokenSource {
  let current: { token: string; until: number } | undefined
  let asking: Promise<Outcome> | undefined

  function ask(): Promise<Outcome> {
    const { clientId, clientSecret, scopes } = credentials
    return exchange(`${baseUrl}/oauth2/token`, {
      method: 'POST',
      headers: {
        authorization: `Basic ${btoa(`${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`)}`,
      },
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        ...(scopes === undefined ? {} : { scope: scopes.join(' ') }),
      }),
      timeoutMs,
    })
  }

  return {
    async get(signal) {
      if (current !== undefined && current.until > Date.now()) return { ok: true, token: current.token }
      asking ??= ask().finally(() => (asking = undefined))
      const outcome = await untilAborted(asking, signal)
      if (!outcome.ok) return outcome
      const { access_token: token, expires_in: seconds } = outcome.body as { access_token: string; expires_in: number }
      current = { token, until: Date.now() + (seconds - spareSeconds) * 1000 }
      return { ok: true, token }
    },
    refused(token) {
      if (current?.token === token) current = undefined
    },
  }
}
