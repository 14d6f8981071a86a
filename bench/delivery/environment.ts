import type { EventSite } from '@frontdesk/events'
import { openRemote, type RemoteProcess } from '../harness/remote.ts'
import { processTrees, startMeasuredSystem, type RunOptions, type MeasuredSystem } from '../harness/measured-system.ts'
import type { LoadMethods } from '../processes/load.ts'
import type { ReceiverMethods } from '../processes/receiver.ts'

export const endpointCount = 100
/** Indices of the receiver's endpoints that take deliveries. */
export const everyEndpoint = Array.from({ length: endpointCount }, (_, index) => index)

/** The system between a load and a receiver, each a separate process. */
export interface Environment extends AsyncDisposable {
  system: MeasuredSystem
  receiver: RemoteProcess<ReceiverMethods>
  load: RemoteProcess<LoadMethods>
  /** Ports of the receiver's endpoints. One more than `endpointCount`: the last is for an endpoint that fails. */
  ports: number[]
}

export async function openEnvironment(options: Pick<RunOptions, 'settings'>): Promise<Environment> {
  await using opened = new AsyncDisposableStack()
  const system = opened.use(await startMeasuredSystem(options))
  const receiver = opened.use(openRemote<ReceiverMethods>('receiver.ts'))
  const load = opened.use(openRemote<LoadMethods>('load.ts'))
  const ports = await receiver.call.listen(endpointCount + 1)
  const { dev } = system.devStack
  const databaseUrl = dev.services['payments']?.databaseUrl ?? ''
  await load.call.open({ databaseUrl, natsUrl: dev.nats.url, publicUrl: dev.gateway, site: siteOf('sizing', 0) })
  const owned = opened.move()
  return { system, receiver, load, ports, [Symbol.asyncDispose]: () => owned.disposeAsync() }
}

/** Returns the roots of the process trees, by part. */
export function deliveryTrees({ system, receiver, load }: Environment): Record<string, number> {
  return processTrees(system, { receiver: receiver.pid, load: load.pid })
}

/** Returns a site as events name it. `name` is that of its subscribers. */
export function siteOf(name: string, index: number): EventSite {
  return {
    siteSlug: `sBench${name}x${index}`,
    organisationSlug: `oBench${name}x${index}`,
    billingOrganisationSlug: `oBench${name}x${index}`,
    product: 'OpenDental',
    pmsSpecificId: `PMS-${index}`,
  }
}
