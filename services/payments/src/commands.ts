import type { Bus } from '@frontdesk/events'
import {
  auditCommands,
  consumerCommands,
  deadLetterCommands,
  encryptionCommands,
  letterHandlers,
  outboxCommands,
  type Program,
} from '@frontdesk/operate'
import { startSharingPace } from '@frontdesk/providers'
import { createMetrics } from '@frontdesk/service/metrics'
import { encryptedReply } from '@frontdesk/service/idempotency'
import { readConfig } from '@frontdesk/service/process'
import { Config } from './config.ts'
import { createHandlers } from './handlers.ts'
import type { PaymentDeps } from './payment/deps.ts'
import { encryptedSecret } from './payment/store.ts'
import { reconcileCommand } from './reconciliation/command.ts'
import { openResources } from './resources.ts'
import { setupCommands } from './setup/command.ts'

/** An operator's commands for payments. */
export const program: Program<PaymentDeps & { bus: Bus } & AsyncDisposable> = {
  service: 'payments',
  commands: [
    ...auditCommands(),
    ...outboxCommands(),
    // The checks of the running service find what has become due within a second.
    ...deadLetterCommands((deps: PaymentDeps) => letterHandlers(createHandlers(deps, () => {}))),
    ...consumerCommands('payments'),
    reconcileCommand,
    ...setupCommands,
    ...encryptionCommands([encryptedSecret, encryptedReply]),
  ],
  async open(env, log) {
    const config = readConfig(Config, env)
    const registry = createMetrics({ service: 'payments', release: config.RELEASE })
    const resources = await openResources(config, { log, registry })
    // The relay of the running service looks into the outbox every second.
    const deps = resources.depsWith({ wake() {} }, () => new Date())
    // A command that asks the providers takes its part of their rate limits, and leaves the others theirs.
    const stopping = new AbortController()
    const { pool, providers } = deps
    const sharing = startSharingPace({ pool, providers, log, signal: stopping.signal })
    return {
      ...deps,
      ...resources,
      async [Symbol.asyncDispose]() {
        stopping.abort()
        await sharing.stopped
        await resources[Symbol.asyncDispose]()
      },
    }
  },
}
