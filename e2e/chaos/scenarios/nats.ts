import { cp, rm } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'
import { consumers } from '@frontdesk/contracts'
import type { Play, Scenario } from '../scenario.ts'
import { operate, provision } from './commands.ts'
import { withManager } from './jetstream.ts'

export const natsKill: Scenario = {
  name: 'nats-kill',
  title: 'NATS is killed with SIGKILL three times under load',
  async play({ environment, short, inject, during }) {
    for (let kills = 0; kills < (short ? 3 : 10); kills++) {
      await during(1.5, 5)
      environment.system.devStack.kill('nats', 'SIGKILL')
      inject('SIGKILL to NATS')
    }
    await during(2, 5)
  },
}

export const natsOutage: Scenario = {
  name: 'nats-outage',
  title: 'NATS is down for 60 s (short: 10 s); requests must go on',
  async play({ environment, load, inject, during, recovered, expect }) {
    await during(1, 3)
    await environment.system.devStack.stop('nats')
    inject('NATS is stopped')
    const before = load.log.failures.length
    await during(10, 60)
    expect(load.log.failures.length === before, 'no request failed while NATS was down')
    await environment.system.devStack.start('nats')
    inject('NATS is started')
    recovered()
    await during(2, 10)
  },
}

/** Stops NATS, puts an earlier copy of its store in place, and starts it. */
export async function rollBack({ environment: { system } }: Play, copy: string): Promise<void> {
  const { devStack } = system
  const { storeDir = '' } = devStack.dev.nats
  devStack.kill('nats', 'SIGKILL')
  await devStack.stop('nats')
  await rm(`${storeDir}/jetstream`, { recursive: true })
  await cp(`${copy}/jetstream`, `${storeDir}/jetstream`, { recursive: true })
  await devStack.start('nats')
}

/** Copies the store of NATS as it is at one moment. Returns the folder of the copy. */
export async function copyStore({ environment: { system } }: Play): Promise<string> {
  const { devStack } = system
  const { storeDir = '' } = devStack.dev.nats
  const copy = `${storeDir}-copy`
  await rm(copy, { recursive: true, force: true })
  devStack.kill('nats', 'SIGSTOP')
  await cp(storeDir, copy, { recursive: true })
  devStack.kill('nats', 'SIGCONT')
  return copy
}

export const storeRolledBack: Scenario = {
  name: 'store-rolled-back',
  title:
    'NATS loses what it stored in the last minute (short: 6 s), events that webhook-delivery has not seen among it',
  async play(play) {
    const { environment, allowed, inject, during, recovered } = play
    allowed.streamWasLost = true
    await during(2, 10)
    const copy = await copyStore(play)
    const copiedAt = new Date()
    // Its events are lost before anybody has read them.
    await environment.replicas['webhook-delivery'].stop()
    inject('the store is copied, webhook-delivery is stopped')
    await during(6, 60)
    await rollBack(play, copy)
    inject('NATS is killed, and starts with the earlier store')
    await environment.replicas['webhook-delivery'].start()
    inject('webhook-delivery is started')
    await during(2, 5)
    // It marks what the relay has noticed by itself, too.
    await operate(play, 'payments', 'outbox', 'replay', '--since', copiedAt.toISOString())
    recovered()
  },
}

const publicEvents = consumers.deliveryPayments

export const streamDeleted: Scenario = {
  name: 'stream-deleted',
  title: 'Somebody deletes EVT_PAYMENTS; it is provisioned again',
  async play(play) {
    const { environment, allowed, inject, during, recovered } = play
    allowed.streamWasLost = true
    await during(2, 5)
    const deletedAt = new Date(Date.now() - 5_000)
    await environment.replicas['webhook-delivery'].stop()
    await during(1, 5)
    await withManager(environment, (manager) => manager.streams.delete(publicEvents.stream))
    inject(`webhook-delivery is stopped, ${publicEvents.stream} is deleted`)
    await during(3, 20)
    await environment.replicas['webhook-delivery'].start()
    await provision(play, 'payments')
    await provision(play, 'webhook-delivery')
    inject('webhook-delivery is started, the stream is provisioned')
    await operate(play, 'payments', 'outbox', 'replay', '--since', deletedAt.toISOString())
    recovered()
    await during(2, 5)
  },
}

export const consumerDeleted: Scenario = {
  name: 'consumer-deleted',
  title: 'Somebody deletes the durable consumers of payments and webhook-delivery; they must come back by themselves',
  async play({ environment, inject, during, recovered }) {
    await during(2, 5)
    await withManager(environment, async (manager) => {
      for (const { stream, name } of [publicEvents, consumers.paymentsProviderEvents, consumers.paymentsAccounts]) {
        await manager.consumers.delete(stream, name)
        inject(`${name} is deleted`)
      }
    })
    recovered()
    await during(5, 20)
  },
}

export const streamFull: Scenario = {
  name: 'stream-full',
  title: 'EVT_PAYMENTS is full, and 600 events wait for it; the other streams must go on',
  async play({ environment, load, inject, during, recovered, expect, count }) {
    const { stream } = publicEvents
    await during(2, 5)
    const limit = await withManager(environment, async (manager) => {
      const { config, state } = await manager.streams.info(stream)
      await manager.streams.update(stream, { max_bytes: state.bytes + 2_000 })
      return config.max_bytes
    })
    inject(`${stream} takes 2,000 bytes more`)
    // Copies of an Internal event that nobody reads, each for an aggregate of its own.
    const copied = await environment.system.database('payments').query(
      `insert into outbox (id, aggregate_type, aggregate_id, aggregate_version, visibility, subject, headers, payload)
       select gen_random_uuid(), 'chaos', gen_random_uuid()::text, 1, 0, subject, headers, payload
         from (select * from outbox where subject like 'evt.int.payments.%' limit 1) one, generate_series(1, 600)`,
    )
    inject(`${copied.rowCount} events more wait in the outbox`)
    await during(3, 10)
    const paid = load.log.creates.filter((create) => create.paid === true).map(({ name }) => name)
    await during(5, 30)
    const settled = await environment.system
      .database('payments')
      .query('select 1 from payments where reference = any($1) and outcome is not null', [paid])
    count(`${settled.rowCount} of ${paid.length} paid payments are known to be paid while the stream is full`)
    expect(settled.rowCount === paid.length, 'webhooks of the provider are applied while the stream is full')
    await withManager(environment, (manager) => manager.streams.update(stream, { max_bytes: limit }))
    inject(`${stream} has room again`)
    recovered()
    await wait(2_000)
  },
}
