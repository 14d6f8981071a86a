import { connectNats } from '@frontdesk/events'
import { jetstreamManager, type JetStreamManager } from '@nats-io/jetstream'
import type { Environment } from '../environment.ts'

/** Runs `work` with a manager of the environment's JetStream, past the proxy. */
export async function withManager<Result>(
  { system }: Environment,
  work: (manager: JetStreamManager) => Promise<Result>,
): Promise<Result> {
  const connection = await connectNats(system.devStack.dev.nats.administrator, { name: 'chaos' })
  try {
    return await work(await jetstreamManager(connection))
  } finally {
    await connection.close()
  }
}
