import type { Pool } from '@frontdesk/database'
import { noteOf, verifyChain } from '@frontdesk/service/audit'
import { UsageError, type Command } from './program.ts'

/** Entries are sealed within seconds: one that waits for longer is worth a look. */
const sealedWithinMs = 60_000

/** The command that tells whether the audit trail is whole. */
export function auditCommands(): Command<{ pool: Pool }>[] {
  return [
    {
      name: 'audit verify',
      usage: '[--noted POSITION:HASH]',
      does: 'Computes the chain of the audit trail again, and tells which entries are missing or were changed.',
      options: { noted: 'string' },
      async run({ pool }, { say, option }) {
        const noted = option('noted')
        if (noted !== undefined && !/^\d+:[0-9a-f]{64}$/.test(noted))
          throw new UsageError('--noted is a head as the log or an earlier verification tells it: POSITION:HASH.')
        const { verified, head, unsealed, unsealedSince, faults } = await verifyChain(pool, noted)
        for (const fault of faults) say(fault)
        say(`entries verified: ${verified}; waiting to be sealed: ${unsealed}`)
        const isLate = unsealedSince !== undefined && Date.now() - unsealedSince.getTime() > sealedWithinMs
        if (isLate) say(`the oldest waits since ${unsealedSince.toISOString()}: is the service running?`)
        say(`head: ${noteOf(head)}`)
        return faults.length === 0 && !isLate
      },
    },
  ]
}
