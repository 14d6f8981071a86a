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
import { createMetrics } from '@frontdesk/service/metrics'
import { encryptedReply } from '@frontdesk/service/idempotency'
import { readConfig } from '@frontdesk/service/process'
import type { RouteDeps } from './accounts/routes.ts'
import { Config } from './config.ts'
import { createHandlers } from './handlers.ts'
import { openResources } from './resources.ts'

/** An operator's commands for accounts. */
export const program: Program<RouteDeps & { bus: Bus } & AsyncDisposable> = {
  service: 'accounts',
  commands: [
    ...auditCommands(),
    ...outboxCommands(),
    ...deadLetterCommands((deps: RouteDeps) => letterHandlers(createHandlers(deps))),
    ...consumerCommands('accounts'),
    ...encryptionCommands([encryptedReply]),
  ],
  async open(env, log) {
    const config = readConfig(Config, env)
    const registry = createMetrics({ service: 'accounts', release: config.RELEASE })
    const resources = await openResources(config, { log, registry })
    // The relay of the running service looks into the outbox every second.
    return { ...resources.depsWith({ wake() {} }, () => new Date()), ...resources }
  },
}
