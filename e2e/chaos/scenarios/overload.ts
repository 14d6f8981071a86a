import { setTimeout as wait } from 'node:timers/promises'
import type { LoadLog } from '../load/log.ts'
import type { Scenario } from '../scenario.ts'

// Few and slow, so that the limit is the gateway's and not that of the machine: creates take 500 ms at the provider, the mix of
// requests about 330 ms, so that 4 under way are 12 requests a second.
const maxInFlight = 4
const providerMs = 500
const overloaded = 60
/** Fewer than this are no service. Creates alone would be 4 / 0.5 s. */
const leastServed = maxInFlight / (providerMs / 1_000) / 2
const limits = { MAX_IN_FLIGHT: `${maxInFlight}`, MAX_IN_FLIGHT_PER_SERVICE: `${maxInFlight}` }

export const overload: Scenario = {
  name: 'overload',
  title: `Clients send five times what the gateway admits (MAX_IN_FLIGHT ${maxInFlight}), for 60 s (short: 10 s)`,
  own: { env: { gateway: { MAX_EVENT_LOOP_DELAY: '60s', ...limits } } },
  rate: 5,
  async play({ environment, load, inject, during, recovered, expect, count }) {
    const { log } = load
    await during(2, 5)
    await environment.system.provider.setFaults({ api: { slow: { rate: 1, ms: providerMs } } })
    load.setRate(overloaded)
    inject(`${overloaded} requests/s`)
    const before = log.acknowledged
    const startedAt = performance.now()
    await during(10, 60)
    const served = (log.acknowledged - before) / ((performance.now() - startedAt) / 1_000)
    load.setRate(2)
    await environment.system.provider.setFaults({})
    inject('2 requests/s')
    recovered()
    const shed = log.failures.filter(({ status }) => status === 503 || status === 429)
    const others = log.failures.filter(({ status }) => status !== 503 && status !== 429)
    count(`${served.toFixed(0)} requests/s were served meanwhile, ${shed.length} answers were 503 or 429`)
    expect(shed.length > 0, 'the gateway sheds load')
    expect(others.length === 0, `nothing fails otherwise (${others.length} did)`)
    expect(served >= leastServed, `the gateway goes on serving, ${leastServed} requests/s or more`)
    // An overload that outlives its cause serves fewer than before. Otherwise those who wait have their answers by then.
    const waiting = log.creates.filter(({ keyed, id }) => keyed && id === undefined).length
    const within = 10 + waiting / served
    const quietAfter = await untilQuiet(log, within * 1_000)
    count(`${waiting} clients still repeat their requests; nothing is shed any more ${secondsOf(quietAfter)} after it`)
    expect(quietAfter !== undefined, `those who wait are served no slower than before: within ${within.toFixed(0)} s`)
    const failed = log.failures.length
    await during(3, 15)
    const late = log.failures.length - failed
    expect(late === 0, `then every request is served (${late} failed)`)
  },
}

const secondsOf = (seconds: number | undefined) => (seconds === undefined ? 'not even then' : `${seconds.toFixed(1)} s`)

/** Waits until no request has failed for 4 s, longer than a client waits before it repeats. Returns after how many seconds the last one did; undefined after `within` ms. */
async function untilQuiet({ failures }: LoadLog, within: number): Promise<number | undefined> {
  const startedAt = performance.now()
  let known = failures.length
  let lastAt = startedAt
  while (performance.now() - lastAt < 4_000) {
    if (performance.now() - startedAt > within) return undefined
    await wait(50)
    if (failures.length > known) lastAt = performance.now()
    known = failures.length
  }
  return (lastAt - startedAt) / 1_000
}
