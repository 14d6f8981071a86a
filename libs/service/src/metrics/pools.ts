import type { Pool } from '@frontdesk/database'
import { Gauge, Histogram, type Registry } from 'prom-client'

type Callback = Parameters<Pool['connect']>[0]

/** Registers the use of a process's pools by name. Nothing is asked: a pool counts its connections itself. */
export function watchPools(registry: Registry, pools: Readonly<Record<string, Pool>>): void {
  const registers = [registry]
  const each = Object.entries(pools)
  new Gauge({
    name: 'postgres_pool_connections',
    help: 'Open connections of a pool, by state: busy (lent to a statement or a transaction) or idle',
    labelNames: ['pool', 'state'],
    registers,
    collect() {
      for (const [pool, { totalCount, idleCount }] of each) {
        this.set({ pool, state: 'busy' }, totalCount - idleCount)
        this.set({ pool, state: 'idle' }, idleCount)
      }
    },
  })
  new Gauge({
    name: 'postgres_pool_size',
    help: 'Most connections that a pool may have',
    labelNames: ['pool'],
    registers,
    collect() {
      for (const [pool, { options }] of each) this.set({ pool }, options.max)
    },
  })
  new Gauge({
    name: 'postgres_pool_waiting',
    help: 'Statements and transactions that wait for a connection of a pool at this moment',
    labelNames: ['pool'],
    registers,
    collect() {
      for (const [pool, { waitingCount }] of each) this.set({ pool }, waitingCount)
    },
  })
  const waits = new Histogram({
    name: 'postgres_pool_wait_seconds',
    help: 'Time until a pool gave a connection, or refused to; only where none was idle at once. Opening a connection counts',
    labelNames: ['pool'] as const,
    buckets: [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 3],
    registers,
  })
  for (const [name, pool] of each) measureWaits(pool, (seconds) => waits.observe({ pool: name }, seconds))
}

/** Tells how long each statement or transaction has waited that found no idle connection. The others cost a comparison. */
function measureWaits(pool: Pool, waited: (seconds: number) => void): void {
  const connect = pool.connect.bind(pool)

  function connecting(callback?: Callback): unknown {
    if (pool.idleCount > 0) return callback === undefined ? connect() : connect(callback)
    const startedAt = performance.now()
    const ended = () => waited((performance.now() - startedAt) / 1000)
    if (callback === undefined) return connect().finally(ended)
    return connect((...given) => {
      ended()
      callback(...given)
    })
  }
  // One function cannot have the types of both overloads.
  pool.connect = connecting as Pool['connect']
}
