import { connect } from '@nats-io/transport-node'
import { eventually } from './eventually.ts'

// Testcontainers is loaded only where it is asked for: it takes half a second, and needs a container engine.

/** Images that can be changed where a registry has them under other names. */
export const images = {
  postgres: process.env['FRONTDESK_POSTGRES_IMAGE'] ?? 'postgres:18-alpine',
  nats: process.env['FRONTDESK_NATS_IMAGE'] ?? 'nats:2.12-alpine',
}

/** Whether Postgres and NATS are to run in containers, as `FRONTDESK_INFRA=containers` says. */
export function wantsContainers(): boolean {
  return process.env['FRONTDESK_INFRA'] === 'containers'
}

/** Whether a container engine answers and has the images already. */
export async function hasContainerImages(): Promise<boolean> {
  const { getContainerRuntimeClient, ImageName } = await import('testcontainers')
  try {
    const { image } = await getContainerRuntimeClient()
    const found = await Promise.all(Object.values(images).map((name) => image.exists(ImageName.fromString(name))))
    return found.every(Boolean)
  } catch {
    return false // no engine
  }
}

/** Starts Postgres in a container; resolves when it takes connections. */
export async function startPostgresContainer(): Promise<{ url: string; stop(): Promise<void> }> {
  const { GenericContainer, Wait } = await import('testcontainers')
  const container = await new GenericContainer(images.postgres)
    .withEnvironment({ POSTGRES_HOST_AUTH_METHOD: 'trust' })
    .withExposedPorts(5432)
    .withCommand(['postgres', '-c', 'max_connections=300'])
    // Once by the server that only fills the data folder, once by the real one.
    .withWaitStrategy(Wait.forLogMessage(/ready to accept connections/, 2))
    .start()
  return {
    url: `postgresql://postgres@${container.getHost()}:${container.getMappedPort(5432)}/postgres`,
    stop: async () => void (await container.stop()),
  }
}

/** A NATS container that can be stopped and started again with its store. */
export interface NatsContainer {
  url: string
  kill(signal: NodeJS.Signals): Promise<void>
  start(): Promise<void>
  remove(): Promise<void>
}

/** Starts NATS with JetStream in a container, on a given port of this machine; resolves when it takes connections. */
export async function startNatsContainer(port: number): Promise<NatsContainer> {
  const { GenericContainer, getContainerRuntimeClient, Wait } = await import('testcontainers')
  const started = await new GenericContainer(images.nats)
    .withExposedPorts({ container: 4222, host: port })
    .withCommand(['--jetstream', '--store_dir', '/data'])
    .withWaitStrategy(Wait.forLogMessage(/Server is ready/))
    .start()
  const client = await getContainerRuntimeClient()
  const container = client.container.getById(started.getId())
  const url = `nats://${started.getHost()}:${port}`
  return {
    url,
    async kill(signal) {
      await container.kill({ signal })
      await container.wait()
    },
    async start() {
      await container.start()
      await eventually(async () => (await connect({ servers: url, timeout: 500, reconnect: false })).close(), {
        within: 10_000,
      })
    },
    remove: async () => void (await started.stop()),
  }
}
