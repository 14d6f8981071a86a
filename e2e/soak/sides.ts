import type { Environment } from './environment.ts'

/** What each side has of a payment, and how far our checks are behind. */
export interface Sides {
  recordId: string
  /** Its checkouts at the provider. */
  ledger: readonly object[]
  /** How many checks are due, and since how many seconds the oldest is. */
  behind: { due: number; seconds: number } | undefined
}

/** Reads what each side has, for a person who must tell a product that is wrong from a system that has too much to do. */
export async function readSides(
  { provider, database }: Pick<Environment, 'provider' | 'database'>,
  recordId: string,
): Promise<Sides> {
  const ledger = await provider.ledgerOf(recordId).catch((error: unknown) => [{ error: String(error) }])
  const behind = await database('payments').query<{ due: number; seconds: number }>(
    `select count(*)::int as due, coalesce(extract(epoch from now() - min(next_check_at)), 0)::int as seconds
       from payments where next_check_at <= now()`,
  )
  return { recordId, ledger, behind: behind.rows[0] }
}

export function describeSides({ recordId, ledger, behind }: Sides): string {
  const due =
    behind === undefined || behind.due === 0
      ? 'no check is due'
      : `${behind.due} checks are due, the oldest since ${behind.seconds} s`
  return `payment ${recordId}: the provider has ${JSON.stringify(ledger)}\n${due}`
}
