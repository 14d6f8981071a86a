import { isUnavailable } from '@frontdesk/database'
import { ProviderMisconfigured, ProviderUnavailable } from '@frontdesk/providers'

/** Whether the provider surely never received the request (docs/decisions/014). */
export function isSurelyUnsent(error: unknown): boolean {
  return (
    error instanceof ProviderUnavailable || (error instanceof ProviderMisconfigured && error.kind === 'credentials')
  )
}

/** Swallows that the database is away; throws any other error. */
export function ignoreUnavailable(error: unknown): void {
  if (!isUnavailable(error)) throw error
}
