import { exchange, type Outcome } from './exchange.ts'
import { untilAborted } from './patience.ts'

export interface ClientCredentials {
  clientId: string
  clientSecret: string
  /** A part of the client's scopes; absent: all of them. */
  scopes?: readonly string[]
}

/** A source of access tokens; an outcome that is not ok is the token endpoint's. */
export interface TokenSource {
  /** The token that is held, or a new one. Throws only where `signal` aborts. */
  get(signal: AbortSignal | undefined): Promise<{ ok: true; token: string } | Extract<Outcome, { ok: false }>>
  /** Lets go of a token that was refused; one that has taken its place stays. */
  refused(token: string): void
}

const timeoutMs = 10_000
/** What is sent must be good when it arrives. */
const spareSeconds = 30

/**
 * Gets access tokens by client credentials (RFC 6749 section 4.4) and keeps each until 30 s before it runs out.
 * Calls at the same time share one request.
 */
export function openTokenSource(baseUrl: string, credentials: ClientCredentials): TokenSource {
  let held: { token: string; until: number } | undefined
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
      if (held !== undefined && held.until > Date.now()) return { ok: true, token: held.token }
      asking ??= ask().finally(() => (asking = undefined))
      const outcome = await untilAborted(asking, signal)
      if (!outcome.ok) return outcome
      const { access_token: token, expires_in: seconds } = outcome.body as { access_token: string; expires_in: number }
      held = { token, until: Date.now() + (seconds - spareSeconds) * 1000 }
      return { ok: true, token }
    },
    refused(token) {
      if (held?.token === token) held = undefined
    },
  }
}
