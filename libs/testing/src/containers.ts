import { randomBytes } from 'node:crypto'
import { connectNats, type BusCredentials } from '@frontdesk/events'
import { eventually } from './eventually.ts'

// Testcontainers is imported only when it is used: loading it takes half a second, and it needs a container engine.

/** Image names; set the variables if your registry has the images under other names. */
export const images = {
  postgres: process.env['FRONTDESK_POSTGRES_IMAGE'] ?? 'postgres:18-alpine',
  nats: process.env['FRONTDESK_NATS_IMAGE'] ?? 'nats:2.12-alpine',
}

/** Whether `FRONTDESK_INFRA=containers` asks for Postgres and NATS in containers. */
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

/** Starts Postgres in a container and waits until it accepts connections. */
export async function startPostgresContainer(): Promise<{ url: string; stop(): Promise<void> }> {
  const { GenericContainer, Wait } = await import('testcontainers')
  const password = randomBytes(24).toString('base64url')
  const container = await new GenericContainer(images.postgres)
    .withEnvironment({ POSTGRES_PASSWORD: password })
    .withExposedPorts(5432)
    .withCommand(['postgres', '-c', 'max_connections=300'])
    // The first line is from the server that only creates the data folder.
    .withWaitStrategy(Wait.forLogMessage(/ready to accept connections/, 2))
    .start()
  return {
    url: `postgresql://postgres:${password}@${container.getHost()}:${container.getMappedPort(5432)}/postgres`,
    stop: async () => void (await container.stop()),
  }
}

/** A NATS container that keeps its store when it is stopped and started again. */
export interface NatsContainer {
  url: string
  kill(signal: NodeJS.Signals): Promise<void>
  start(): Promise<void>
  remove(): Promise<void>
}

/** Starts NATS with JetStream and users in a container, on a port of this machine, and waits until it accepts connections. */
export async function startNatsContainer(port: number, credentials: BusCredentials): Promise<NatsContainer> {
  const { GenericContainer, getContainerRuntimeClient, Wait } = await import('testcontainers')
  const started = await new GenericContainer(images.nats)
    .withExposedPorts({ container: 4222, host: port })
    .withCopyContentToContainer([{ content: credentials.serverConfig, target: '/etc/frontdesk-users.conf' }])
    .withCommand(['-c', '/etc/frontdesk-users.conf', '--jetstream', '--store_dir', '/data'])
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
      const settings = credentials.settings(url, 'administrator')
      await eventually(async () => (await connectNats(settings, { timeout: 500, reconnect: false })).close(), {
        within: 10_000,
      })
    },
    remove: async () => void (await started.stop()),
  }
}
