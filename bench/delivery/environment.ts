import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { EventSite } from '@frontdesk/events'
import { selfSigned } from '@frontdesk/testing'
import { throwAwayFolder } from '@frontdesk/testing/throw-away-folder'
import { openRemote, type RemoteProcess } from '../harness/remote.ts'
import { processTrees, startMeasuredSystem, type RunOptions, type MeasuredSystem } from '../harness/measured-system.ts'
import type { LoadMethods } from '../processes/load.ts'
import type { ReceiverMethods } from '../processes/receiver.ts'

export const endpointCount = 100
/** Indices of the receiver's endpoints that take deliveries. */
export const everyEndpoint = Array.from({ length: endpointCount }, (_, index) => index)
/** Indices of as many endpoints that speak TLS, after the one that fails. */
export const secureEndpoints = everyEndpoint.map((index) => endpointCount + 1 + index)

/** Ids of the clients that subscribe: a client subscribes once for each site, so the largest fan-out needs as many. */
export const subscribingClients = Array.from({ length: 100 }, (_, index) => `bench${index}`)

/** The system between a load and a receiver, each a separate process. */
export interface Environment extends AsyncDisposable {
  system: MeasuredSystem
  receiver: RemoteProcess<ReceiverMethods>
  load: RemoteProcess<LoadMethods>
  /** Origins of the receiver's endpoints: those that take deliveries, one for an endpoint that fails, and those with TLS. */
  origins: readonly string[]
}

export async function openEnvironment(options: Pick<RunOptions, 'settings'>): Promise<Environment> {
  await using opened = new AsyncDisposableStack()
  const folder = opened.use(await throwAwayFolder())
  const ca = join(folder.path, 'receivers.pem')
  await writeFile(ca, selfSigned.cert)
  const delivery = { ...options.settings['webhook-delivery'], NODE_EXTRA_CA_CERTS: ca }
  const settings = { ...options.settings, 'webhook-delivery': delivery }
  const system = opened.use(await startMeasuredSystem({ settings }))
  await enrolClients(system)
  const receiver = opened.use(openRemote<ReceiverMethods>('receiver.ts'))
  const load = opened.use(openRemote<LoadMethods>('load.ts'))
  const origins = [
    ...(await receiver.call.listen(endpointCount + 1)),
    ...(await receiver.call.listen(secureEndpoints.length, selfSigned)),
  ]
  const { dev } = system.devStack
  const databaseUrl = dev.services['payments']?.databaseUrl ?? ''
  await load.call.open({ databaseUrl, nats: dev.nats.administrator, publicUrl: dev.gateway, site: siteOf('sizing', 0) })
  const owned = opened.move()
  return { system, receiver, load, origins, [Symbol.asyncDispose]: () => owned.disposeAsync() }
}

/** Adds the subscribing clients to those of the gateway, which has the subscriptions of clients that it does not know paused. */
async function enrolClients({ devStack }: MeasuredSystem): Promise<void> {
  const file = join(devStack.home, 'keys', 'clients.json')
  const { clients, ...others } = JSON.parse(await readFile(file, 'utf8')) as { clients: object[] }
  const rights = { scopes: ['webhooks:write'], practiceManagementSoftware: ['OpenDental'] }
  const enrolled = [...clients, ...subscribingClients.map((id) => ({ id, ...rights }))]
  await writeFile(`${file}.new`, JSON.stringify({ ...others, clients: enrolled }))
  await rename(`${file}.new`, file)
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
