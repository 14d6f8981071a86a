/**
 * SQLSTATE classes and codes of a database that cannot do its work now, and Prisma's codes with the same meaning: no connection
 * (08), resources exhausted (53), operator intervention (57) with statements that took too long, disk or system errors (58),
 * a read-only server (25006), a lock not available (55P03), and what a role or a schema lacks until a migration or a grant comes
 * (42501, 42703, 42P01, 42883, 28, 3D).
 */
const unavailable =
  /^(08|28|3D|53|57|58|25006$|55P03$|40001$|40P01$|42501$|42703$|42P01$|42883$|P1001|P1002|P1008|P1010|P1017|P2024|P2037)/
const networkErrors = new Set([
  'EAI_AGAIN',
  'ECONNABORTED',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTDOWN',
  'EHOSTUNREACH',
  'ENETDOWN',
  'ENETUNREACH',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
])
// pg gives these errors no code.
const lostConnection =
  /timeout exceeded when trying to connect|timeout expired|Query read timeout|Connection terminated|Connection ended|Client has encountered a connection error|Client was closed/

/**
 * Whether an error of pg or Prisma means that the database cannot do its work at present, and not that a statement or a value
 * is wrong. Over HTTP such an error is a 503, and a retry may succeed.
 */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  // If a host has several addresses, the error holds one error for each of them.
  if (error instanceof AggregateError && error.errors.some(isUnavailable)) return true
  const isUnavailableCode = (code: string) => unavailable.test(code) || networkErrors.has(code)
  return codesOf(error).some(isUnavailableCode) || lostConnection.test(error.message)
}

/** Whether Postgres refused a write because it is a standby or was made read-only. */
export function isReadOnly(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '25006'
}

/**
 * Whether an error comes from the state of the database, its schema, its permissions or the way there, and not from the
 * values of one statement. Then whatever else is tried fails as well, until somebody has repaired it.
 */
export function isDatabaseFault(error: unknown): boolean {
  if (!(error instanceof Error) || isDeadlock(error)) return false
  if (isUnavailable(error)) return true
  // Of the SQLSTATE classes only these can depend on the values: cardinality, data, integrity, deadlocks, views with a
  // check, raised exceptions, limits such as an index entry's size. P2021 and P2022 are Prisma's missing table and column.
  return codesOf(error).some(
    (code) => (/^[0-9A-Z]{5}$/.test(code) && !/^(21|22|23|40|44|54|E|P)/.test(code)) || /^P202[12]$/.test(code),
  )
}

/** Whether a transaction failed only because of another one: tried again at once, it will succeed. */
export function isDeadlock(error: unknown): boolean {
  return error instanceof Error && codesOf(error).some((code) => code === '40P01' || code === '40001')
}

/**
 * Whether an error of pg or Prisma is a data exception (SQLSTATE class 22): these values can never be stored, however often
 * one tries.
 */
export function isDataException(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return codesOf(error).some((code) => /^22[0-9A-Z]{3}$/.test(code))
}

function codesOf(error: Error): string[] {
  return ['code' in error ? String(error.code) : '', prismaOriginalCode(error)]
}

/** Returns the SQLSTATE inside an error of Prisma; '' if there is none. */
function prismaOriginalCode(
  error: Error & { meta?: { driverAdapterError?: { cause?: { originalCode?: unknown } } } },
): string {
  const code = error.meta?.driverAdapterError?.cause?.originalCode
  return typeof code === 'string' ? code : ''
}

/** Whether a statement waited for a lock as long as `lock_timeout` lets it. */
export function isLockTimeout(error: unknown): boolean {
  return error instanceof Error && codesOf(error).includes('55P03')
}

/** Whether an error is a violation of a unique constraint: of this one, if `constraint` is given. */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    error.code === '23505' &&
    (constraint === undefined || ('constraint' in error && error.constraint === constraint))
  )
}
