import { freePort } from '@frontdesk/dev-stack/processes'
import { runningEnvironment, startService } from '@frontdesk/dev-stack/services'
import type { DevStack } from '@frontdesk/dev-stack'
import type { TcpProxy } from '@frontdesk/testing/tcp-proxy'

/** One process of a service behind the service's balancer. */
export interface Replica {
  readonly port: number
  readonly service: string
  readonly pid: number
  /** Sends SIGTERM and waits for the end. */
  stop(): Promise<void>
  /** Starts it again at the same port; resolves when it answers that it is ready. */
  start(): Promise<void>
  kill(signal: NodeJS.Signals): void
}

/** Returns the replica of a service that the dev stack runs. */
export function firstReplica(devStack: DevStack, service: string): Replica {
  const url = new URL(devStack.dev.services[service]?.url ?? '')
  return {
    service,
    port: Number(url.port),
    get pid() {
      return devStack.dev.services[service]?.pid ?? 0
    },
    stop: () => devStack.stop(service),
    async start() {
      await devStack.start(service)
      await untilReady(url.origin)
    },
    kill: (signal) => devStack.kill(service, signal),
  }
}

export interface ReplicaOptions {
  devStack: DevStack
  /** The environment that the first replica has beyond what the dev stack gives it. */
  env: Record<string, string>
  onLine: (part: string, line: string) => void
}

/** Starts a second replica of a service. It is not started again when it ends. */
export async function startReplica(
  service: string,
  { devStack, env, onLine }: ReplicaOptions,
): Promise<Replica & AsyncDisposable> {
  const port = await freePort()
  const ports = { [service]: port, 'gateway-metrics': await freePort() }
  const launch = () =>
    startService({
      service,
      env: { ...runningEnvironment(service, devStack, ports), ...env },
      onLine: (line) => onLine(`${service}-2`, line),
      onSpawn: () => {},
      signal: new AbortController().signal,
    })
  let running = await launch()
  const origin = `http://127.0.0.1:${port}`
  await untilReady(origin)
  return {
    service,
    port,
    get pid() {
      return running.pid
    },
    stop: () => running.stop(),
    async start() {
      running = await launch()
      await untilReady(origin)
    },
    kill: (signal) => running.kill(signal),
    async [Symbol.asyncDispose]() {
      // A process that is stopped by SIGSTOP does not see SIGTERM.
      running.kill('SIGCONT')
      await running.stop()
    },
  }
}

async function untilReady(origin: string): Promise<void> {
  const deadline = performance.now() + 30_000
  for (;;) {
    const status = await statusOf(`${origin}/readyz`)
    if (status === 200) return
    if (performance.now() > deadline) throw new Error(`${origin} is not ready: ${status}`)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

/** Returns the status of a probe; 0 if no answer came within 5 s. */
export async function statusOf(url: string): Promise<number> {
  const reply = await fetch(url, { signal: AbortSignal.timeout(5_000) }).catch(() => undefined)
  await reply?.body?.cancel()
  return reply?.status ?? 0
}

/** How long a Service keeps sending connections to a replica that is terminating. */
const deadEndpointMs = 2_000

/**
 * Stops a replica as a rolling update does, then starts it again. The balancer goes on choosing it for 2 s, as a Kubernetes
 * Service does until every node knows.
 */
export async function roll(replica: Replica, balancer: TcpProxy): Promise<void> {
  const ending = replica.stop()
  await new Promise((resolve) => setTimeout(resolve, deadEndpointMs))
  balancer.remove(replica.port)
  await ending
  await replica.start()
  balancer.add(replica.port)
}
