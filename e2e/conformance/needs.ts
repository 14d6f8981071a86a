/** A need of a case besides the base URL and a client with every scope. */
export type Need = 'processes' | 'files' | 'sandbox' | 'receiver' | 'several systems' | 'read only' | 'event source'

/** The needs in words. */
export const needTexts: Readonly<Record<Need, string>> = {
  processes: 'control of the processes',
  files: "control of the processes' files (clients and keys)",
  sandbox: "the sandbox provider's control API",
  receiver: 'a receiver that the system can reach (both on this machine)',
  'event source': 'a client with a registered event source',
  'read only': 'a client with read scopes only',
  'several systems': 'a client with access to several practice management systems',
}
