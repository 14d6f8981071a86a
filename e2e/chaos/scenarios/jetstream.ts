import { jetstreamManager, type JetStreamManager } from '@nats-io/jetstream'
import { connect } from '@nats-io/transport-node'
import type { Environment } from '../environment.ts'

/** Runs `work` with a manager of the environment's JetStream, past the proxy. */
export async function withManager<Result>(
  { system }: Environment,
  work: (manager: JetStreamManager) => Promise<Result>,
): Promise<Result> {
  const connection = await connect({ servers: system.devStack.dev.nats.url, name: 'chaos' })
  try {
    return await work(await jetstreamManager(connection))
  } finally {
    await connection.close()
  }
}
