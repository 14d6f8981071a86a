/** Thrown when the system is not there or did not do what was asked of it. The message is written for a person. */
export class SystemFault extends Error {
  override name = 'SystemFault'
}

/** Throws SystemFault unless the condition holds. */
export function expectThat(condition: boolean, otherwise: string): asserts condition {
  if (!condition) throw new SystemFault(otherwise)
}
