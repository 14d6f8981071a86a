import { setTimeout as wait } from 'node:timers/promises'
import { eventually } from '@frontdesk/testing/eventually'
import { everyday } from '../load/generator.ts'
import { shuffled } from '../../system/random.ts'
import { roll, statusOf, type Replica } from '../replica.ts'
import type { Play, Scenario } from '../scenario.ts'
import { services, type Service } from '../environment.ts'

export const kill: Scenario = {
  name: 'kill',
  title: 'Each process is killed with SIGKILL under load, one after the other, and starts again',
  async play({ environment, random, inject, during }) {
    const parts = shuffled([...services, 'sandbox-provider', 'nats', 'postgres'], random)
    await during(1, 3)
    for (const part of parts) {
      const before = pidOf(environment, part)
      // SIGQUIT is how Postgres itself crashes all of its processes; SIGKILL would leave some that delay its start.
      const signal = part === 'postgres' ? 'SIGQUIT' : 'SIGKILL'
      environment.system.devStack.kill(part, signal)
      inject(`${signal} to ${part}`)
      await eventually(
        async () => {
          if (pidOf(environment, part) === before || !(await isReady(environment, part)))
            throw new Error(`${part} is not back`)
        },
        { within: 30_000, every: 100 },
      )
      await during(0.3, 8)
      await wait(random() * 400)
    }
  },
}

async function isReady({ system }: Play['environment'], part: string): Promise<boolean> {
  const url = system.devStack.dev.services[part]?.url
  return url === undefined || (await statusOf(`${url}/readyz`)) === 200
}

function pidOf({ system }: Play['environment'], part: string): number | undefined {
  const { dev } = system.devStack
  if (part === 'nats') return dev.nats.pid
  return part === 'postgres' ? dev.postgres.pid : dev.services[part]?.pid
}

// Longer than a Service keeps a dead endpoint, and than the gateway keeps an idle connection (3 s). The dev stack has none.
const drain = { SHUTDOWN_DRAIN: '4s' }

export const rolling: Scenario = {
  name: 'rolling',
  title: 'Two replicas of each service are replaced with SIGTERM, behind Services that keep dead endpoints for 2 s',
  own: { env: Object.fromEntries(services.map((service) => [service, drain])) },
  rate: 5,
  mix: everyday,
  async play({ environment, load, allowed, short, inject, during, use }) {
    const second = await Promise.all(services.map(async (service) => use(await environment.addReplica(service))))
    allowed.nothingFails = true
    // The load begins in earnest when both replicas of everything are there.
    // Ten processes start meanwhile: two cores serve no 100 requests/s besides.
    load.setRate(short ? 40 : 100)
    await during(2, 10)
    const rollService = async (replicas: readonly Replica[]) => {
      for (const replica of replicas) {
        const service = replica.service as Service
        inject(`SIGTERM to a replica of ${service}`)
        await roll(replica, environment.network.balancers[service])
      }
    }
    // As many updates at once as a release may have: two services.
    const updates = second.map((replica) => [environment.replicas[replica.service as Service], replica])
    for (let round = 0; round < (short ? 1 : 3); round++) {
      await Promise.all(
        [0, 1].map(async (half) => {
          for (const update of updates.filter((_, index) => index % 2 === half)) await rollService(update)
        }),
      )
    }
    await during(1, 10)
    load.setRate(5)
  },
}

export const paused: Scenario = {
  name: 'paused-replica',
  title: 'One of two replicas of payments and of webhook-delivery is stopped with SIGSTOP for longer than the ack wait',
  async play({ environment, inject, during, recovered, use }) {
    const stopped: Service[] = ['payments', 'webhook-delivery']
    await Promise.all(stopped.map(async (service) => use(await environment.addReplica(service))))
    await during(1, 5)
    for (const service of stopped) {
      // It may hold the leader lock, messages and leases.
      environment.replicas[service].kill('SIGSTOP')
      inject(`SIGSTOP to a replica of ${service}`)
    }
    await wait(2_000)
    for (const service of stopped) environment.network.balancers[service].remove(environment.replicas[service].port)
    await during(11, 60)
    for (const service of stopped) {
      environment.replicas[service].kill('SIGCONT')
      environment.network.balancers[service].add(environment.replicas[service].port)
      inject(`SIGCONT to the replica of ${service}`)
    }
    recovered()
    await during(2, 10)
  },
}
