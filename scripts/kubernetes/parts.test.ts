import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { streamBytes, streamMaxMessageBytes, streams } from '@frontdesk/contracts'
import { hasDatabase } from '@frontdesk/database/service-databases'
import { streamSettings } from '@frontdesk/events'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import {
  manifestsFolder,
  ofKind,
  render,
  renderAll,
  renderer,
  root,
  withoutRenderer,
  type Manifest,
} from './manifests.ts'
import { bytesOf, deploymentOf, environmentOf, podOf, readManifest, services } from './services.ts'

const withDatabase = services.filter(hasDatabase)

interface NatsValues {
  fullnameOverride: string
  config: {
    cluster: { enabled: boolean; replicas: number }
    jetstream: { fileStore: { maxSize: string; pvc: { size: string } }; merge: { sync_interval: string } }
    nats: { tls: { enabled: boolean; secretName: string } }
    merge: { $include: string; max_payload: number }
  }
  container: { patch: { op: string; path: string; value: object }[] }
  podTemplate: { patch: { op: string; path: string; value: object }[] }
}
const nats = parse(readManifest('production/nats/values.yaml')) as NatsValues

/** Returns the settings of the streams of all services, as their Jobs provision them. */
function provisioned(overlay: string) {
  return withDatabase.flatMap((service) => {
    const jobs = ofKind(render(`${overlay}/${service}`), 'Job').map((job) => podOf(job))
    const job = jobs.find(({ name }) => name.startsWith(`${service}-streams.`))
    if (job === undefined) throw new Error(`${service} has no Job for its streams`)
    const environment = environmentOf(job.container)
    streamSettings(environment, streams)
    const owned = streams.filter(({ owner }) => owner === service)
    const rate = Number(environment['EVENTS_PAYMENTS_PER_SECOND'])
    return owned.map((stream) => ({
      bytes: streamBytes(stream, rate),
      replicas: Number(environment['EVENTS_REPLICAS']),
    }))
  })
}

beforeAll(renderAll, 300_000)
beforeEach(({ skip }) => skip(renderer === undefined, withoutRenderer))

test.each(['production', 'development'])(
  'the volumes of NATS hold the bytes that the streams of %s reserve',
  (overlay) => {
    const own = parse(readManifest(`${overlay}/nats/values.yaml`)) as NatsValues
    const { maxSize, pvc } = own.config.jetstream.fileStore
    const reserved = provisioned(overlay).reduce((sum, { bytes }) => sum + bytes, 0)
    expect(provisioned(overlay)).toHaveLength(streams.length)
    expect(bytesOf(maxSize)).toBeGreaterThan(reserved)
    expect(bytesOf(pvc.size)).toBeGreaterThan(bytesOf(maxSize) * 1.2)
  },
)

test('each event is on three servers, on the disk of each, and reaches them encrypted', () => {
  expect(new Set(provisioned('production').map(({ replicas }) => replicas))).toEqual(
    new Set([nats.config.cluster.replicas]),
  )
  expect(nats.config.cluster).toMatchObject({
    enabled: true,
    replicas: 3,
    tls: { enabled: true },
    merge: { tls: { verify: true } },
  })
  expect(nats.config.jetstream.merge.sync_interval).toBe('always')
  expect(nats.config.nats.tls).toEqual({ enabled: true, secretName: 'nats-tls' })
  expect(nats.config.merge.max_payload).toBeGreaterThan(streamMaxMessageBytes)
  for (const service of services)
    expect(environmentOf(podOf(deploymentOf('production', service)).container)['NATS_URL']).toBe(
      `nats://${nats.fullnameOverride}:4222`,
    )
})

test('NATS has the users that the table prints, and no other', () => {
  expect(nats.config.merge.$include).toBe('../nats-users/users.conf')
  // The path of the include begins at the folder of the server's own file, /etc/nats-config. A list in a merge would replace the chart's.
  expect(nats.podTemplate.patch).toEqual([
    { op: 'add', path: '/spec/volumes/-', value: { name: 'nats-users', configMap: { name: 'nats-users' } } },
  ])
  expect(nats.container.patch).toEqual([
    { op: 'add', path: '/volumeMounts/-', value: { name: 'nats-users', mountPath: '/etc/nats-users' } },
  ])
  expect(readManifest('production/nats/values.yaml')).not.toMatch(/authorization|no_auth_user|\busers:|password/)
})

/** Returns the keys of every Secret and ConfigMap that something makes: an ExternalSecret, a certificate, the operator of Postgres, a command. */
function declared(overlay: string): Set<string> {
  const secrets = parseAllDocuments(readManifest('external-secrets/secrets.yaml')).map(
    (document) => document.toJS() as { spec: { target: { name: string }; data: { secretKey: string }[] } },
  )
  const certificates = render(`${overlay}/certificates`) as unknown as { spec: { secretName?: string } }[]
  const clusters = render(`${overlay}/postgres`).filter(({ kind }) => kind === 'Cluster')
  return new Set([
    ...secrets.flatMap(({ spec }) => spec.data.map(({ secretKey }) => `${spec.target.name}/${secretKey}`)),
    ...certificates.flatMap(({ spec }) => ['tls.crt', 'tls.key', 'ca.crt'].map((key) => `${spec.secretName}/${key}`)),
    ...clusters.map(({ metadata }) => `${metadata.name}-ca/ca.crt`),
    // Public keys, by a command of docs/deploying.md.
    'internal-jwks/internal-jwks.json',
  ])
}

test('every key of a Secret that production mounts is made, and every Secret of the example is used', () => {
  const used = new Set<string>()
  const usersOfPostgres = (
    render('production/postgres') as unknown as {
      spec: {
        bootstrap?: { initdb: { secret: { name: string } } }
        managed?: { roles: { passwordSecret: { name: string } }[] }
      }
    }[]
  ).flatMap(({ spec: { bootstrap, managed } }) => [
    bootstrap?.initdb.secret.name,
    ...(managed?.roles ?? []).map(({ passwordSecret }) => passwordSecret.name),
  ])
  for (const name of usersOfPostgres.filter((name) => name !== undefined))
    for (const key of ['username', 'password']) used.add(`${name}/${key}`)
  for (const object of [...ofKind(render('production'), 'Deployment'), ...ofKind(render('production'), 'Job')]) {
    const { pod, container } = podOf(object)
    for (const { projected, secret } of pod.volumes ?? []) {
      expect(secret).toBeUndefined()
      for (const source of projected?.sources ?? []) {
        const of = source.secret ?? source.configMap
        for (const { key } of of?.items ?? []) used.add(`${of?.name}/${key}`)
      }
    }
    for (const { valueFrom } of container.env ?? [])
      if (valueFrom?.secretKeyRef) used.add(`${valueFrom.secretKeyRef.name}/${valueFrom.secretKeyRef.key}`)
  }
  const made = declared('production')
  expect([...used].filter((key) => !made.has(key))).toEqual([])
  const certified = /-tls\/|-authority\/|^undefined\/|-postgres-ca\//
  expect([...made].filter((key) => !used.has(key) && !certified.test(key))).toEqual([])
})

test('every file that a setting names is mounted, and every file that is mounted is named', () => {
  for (const object of [...ofKind(render('production'), 'Deployment'), ...ofKind(render('production'), 'Job')]) {
    const { pod, container, name } = podOf(object)
    const mounted = (pod.volumes ?? []).flatMap(({ projected }) =>
      (projected?.sources ?? []).flatMap(({ secret, configMap }) =>
        ((secret ?? configMap)?.items ?? []).map(({ path }) => `/run/frontdesk/${path}`),
      ),
    )
    const values = Object.values(environmentOf(container)).join(' ')
    const named = new Set([...values.matchAll(/\/run\/frontdesk\/[\w.-]+/g)].map(([file]) => file))
    expect([...named].toSorted(), name).toEqual(mounted.toSorted())
  }
})

test('the component for lateness takes the place of the autoscaler, with as many replicas, and asks for a metric that exists', () => {
  const folder = join(root, 'node_modules/.cache/frontdesk/manifests/lateness')
  mkdirSync(folder, { recursive: true })
  const to = (part: string): string => relative(folder, join(manifestsFolder, part))
  const overlay = {
    kind: 'Kustomization',
    resources: [to('production/webhook-delivery')],
    components: [to('components/delivery-lateness')],
  }
  writeFileSync(join(folder, 'kustomization.yaml'), JSON.stringify(overlay))
  const [program = '', command = ''] = renderer ?? []
  const text = execFileSync(program, [command, folder], { encoding: 'utf8' })
  const objects = parseAllDocuments(text).map(
    (document) =>
      document.toJS() as Manifest & { spec: { maxReplicaCount: number; triggers: { metadata: { query?: string } }[] } },
  )
  expect(objects.map(({ kind }) => kind)).not.toContain('HorizontalPodAutoscaler')
  const scaled = objects.find(({ kind }) => kind === 'ScaledObject')
  const scaler = render('production/webhook-delivery').find(({ kind }) => kind === 'HorizontalPodAutoscaler')
  expect(scaled?.spec.maxReplicaCount).toBe((scaler as unknown as { spec: { maxReplicas: number } }).spec.maxReplicas)
  const [metric = ''] = /delivery_\w+/.exec(scaled?.spec.triggers[0]?.metadata.query ?? '') ?? []
  expect(readFileSync(join(root, 'services/webhook-delivery/src/metrics.ts'), 'utf8')).toContain(`'${metric}'`)
})

test('the gateway is scaled by a metric that it has and the adapter serves, well below what it admits', () => {
  const scaler = JSON.stringify(render('production/gateway').find(({ kind }) => kind === 'HorizontalPodAutoscaler'))
  const [, metric = ''] = /"metric":\{"name":"(\w+)"/.exec(scaler) ?? []
  const [, target = ''] = /"averageValue":"(\d+)"/.exec(scaler) ?? []
  expect(readFileSync(join(root, 'services/gateway/src/metrics.ts'), 'utf8')).toContain(`'${metric}'`)
  expect(readManifest('metrics/prometheus-adapter.values.yaml')).toContain(`as: ${metric}`)
  expect(Number(target)).toBeGreaterThan(0)
  expect(Number(target)).toBeLessThanOrEqual(200)
})
