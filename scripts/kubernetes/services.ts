import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { IContainer } from 'kubernetes-models/v1/Container'
import type { IPodSpec } from 'kubernetes-models/v1/PodSpec'
import type { TObject } from 'typebox'
import { ofKind, render, root, type Manifest } from './manifests.ts'

/** The services that production runs. */
export const services = ['registry', 'accounts', 'payments', 'webhook-delivery', 'gateway'] as const

async function load(service: string, file: string): Promise<Record<string, unknown>> {
  return (await import(pathToFileURL(join(root, 'services', service, 'src', file)).href)) as Record<string, unknown>
}

/** Returns the schema of a service's configuration. */
export async function configurationOf(service: string): Promise<TObject> {
  const { Config, environment } = await load(service, 'config.ts')
  return (Config ?? environment) as TObject
}

interface OpenPool {
  options: { max: number }
}

/** Returns how many connections the pools of one process of a service may have, as its own code opens them. It opens none. */
export async function pooledConnections(service: string, config: Readonly<Record<string, unknown>>): Promise<number> {
  const { openDatabase } = (await load(service, 'db.ts')) as {
    openDatabase(options: object): AsyncDisposable & Record<string, OpenPool | undefined>
  }
  await using database = openDatabase({
    url: 'postgresql://nobody@127.0.0.1:1/none',
    size: config['DATABASE_POOL_SIZE'],
    engineSize: config['DELIVERY_POOL_SIZE'],
    log: { warn() {} },
  })
  const pools = Object.values(database).filter((part) => typeof part?.options?.max === 'number')
  return pools.reduce((sum, pool) => sum + (pool?.options.max ?? 0), 0)
}

/** Returns the Deployment of a service in an overlay. */
export function deploymentOf(overlay: string, service: string) {
  const [deployment] = ofKind(render(`${overlay}/${service}`), 'Deployment')
  if (deployment?.spec === undefined) throw new Error(`${overlay}/${service} has no Deployment`)
  return { ...deployment, spec: deployment.spec }
}

/** Returns the pod and the one container of a Deployment or Job. */
export function podOf(object: Manifest | object): { pod: IPodSpec; container: IContainer; name: string } {
  const { metadata, spec } = object as { metadata: { name: string }; spec: { template: { spec: IPodSpec } } }
  const pod = spec.template.spec
  const [container, more] = pod.containers
  if (container === undefined || more !== undefined) throw new Error(`${metadata.name} has not exactly one container`)
  return { pod, container, name: metadata.name }
}

/** Values of the Secrets that are given as variables. They have the form of real ones. */
const secretValues: Record<string, string> = {
  'stripe/secret-key': 'sk_live_abc',
  'stripe/publishable-key': 'pk_live_abc',
  'stripe/webhook-secrets': 'whsec_abc',
  'sandbox/webhook-secret': 'whsec_sandbox',
}

/** Returns the environment that a container's process gets. */
export function environmentOf({ env = [] }: IContainer): Record<string, string> {
  return Object.fromEntries(
    (env ?? []).map(({ name, value, valueFrom }) => {
      const reference = valueFrom?.secretKeyRef
      return [name, value ?? secretValues[`${reference?.name}/${reference?.key}`] ?? '']
    }),
  )
}

/** Returns the bytes of a quantity of Kubernetes, such as `28Gi`. */
export function bytesOf(quantity: unknown): number {
  const [, number = '', unit = ''] = /^([\d.]+)(Ki|Mi|Gi|Ti)?$/.exec(String(quantity)) ?? []
  const exponent = ['', 'Ki', 'Mi', 'Gi', 'Ti'].indexOf(unit)
  return number === '' ? Number.NaN : Number(number) * 1024 ** exponent
}

/** Returns the processors of a quantity of Kubernetes, such as `250m`. */
export function processorsOf(quantity: unknown): number {
  const text = String(quantity)
  return text.endsWith('m') ? Number(text.slice(0, -1)) / 1000 : Number(text)
}

/** Reads a file below deploy/kubernetes. */
export function readManifest(path: string): string {
  return readFileSync(join(root, 'deploy/kubernetes', path), 'utf8')
}
