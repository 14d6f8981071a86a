import type { CaseGroup } from '../case.ts'
import { sendGenerated } from '../generated.ts'
import { logsAreClean } from '../log-lines.ts'

/** Takes a few seconds. */
const shortForm = 400

export const generated: CaseGroup = {
  title: 'generated requests',
  cases: [
    {
      title: `Of ${shortForm} generated requests valid ones succeed or are refused by a rule, others are refused by form, and none fails`,
      timeoutMs: 120_000,
      run: async (system) => void (await sendGenerated(system, { requests: shortForm })),
    },
    {
      title: 'No log line contains a secret, an unhandled rejection or an unexpected error',
      needs: ['processes'],
      async run(system) {
        if ((await system.control?.logged())?.length === 0) throw new Error('nothing was logged')
        await logsAreClean(system)
      },
    },
  ],
}
