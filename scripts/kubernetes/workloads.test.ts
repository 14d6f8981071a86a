import { hasDatabase, ownerUrl } from '@frontdesk/database/service-databases'
import { connectStatements, rolesOf, roleStatements } from '@frontdesk/database/roles'
import { internalOperations, operations, streams as allStreams } from '@frontdesk/contracts'
import { natsSettingsOf, streamSettings } from '@frontdesk/events'
import { parseDuration, readConfig } from '@frontdesk/service/process'
import type { IPodDisruptionBudget } from 'kubernetes-models/policy/v1/PodDisruptionBudget'
import type { IHorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2/HorizontalPodAutoscaler'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ofKind, overlays, render, renderAll, renderer, withoutRenderer } from './manifests.ts'
import {
  configurationOf,
  deploymentOf,
  environmentOf,
  podOf,
  pooledConnections,
  processorsOf,
  services,
} from './services.ts'

const workloads = () =>
  overlays()
    .filter((folder) => folder.includes('/'))
    .flatMap((folder) => {
      const objects = render(folder)
      return [...ofKind(objects, 'Deployment'), ...ofKind(objects, 'Job')].map((object) => ({
        folder,
        ...podOf(object),
      }))
    })
const withDatabase = services.filter(hasDatabase)
const overlayNames = ['production', 'development'] as const

beforeAll(renderAll, 300_000)
beforeEach(({ skip }) => skip(renderer === undefined, withoutRenderer))

describe('every container', () => {
  test('runs as nobody, on a file system that it cannot write, without a capability or a token of Kubernetes', () => {
    for (const { folder, pod, container } of workloads()) {
      expect(pod, folder).toMatchObject({ automountServiceAccountToken: false, enableServiceLinks: false })
      expect(pod.securityContext, folder).toMatchObject({
        runAsNonRoot: true,
        seccompProfile: { type: 'RuntimeDefault' },
      })
      expect(pod.securityContext?.runAsUser, folder).toBeGreaterThan(0)
      expect(pod.hostNetwork ?? pod.hostPID ?? pod.hostIPC, folder).toBeUndefined()
      expect(container.securityContext, folder).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      })
    }
    expect(workloads().length).toBeGreaterThan(20)
  })

  test('says what it needs and the most that it may take', () => {
    for (const { folder, container } of workloads()) {
      const { requests, limits } = container.resources ?? {}
      expect(Object.keys(requests ?? {}).toSorted(), folder).toEqual(['cpu', 'memory'])
      expect(Object.keys(limits ?? {}).toSorted(), folder).toEqual(['cpu', 'memory'])
    }
  })

  test('of a release has an image by its tag', () => {
    for (const { folder, container } of workloads()) expect(container.image, folder).toMatch(/:[\w.-]+$/)
    for (const { folder, container } of workloads().filter((workload) => workload.folder.startsWith('production/')))
      expect(container.image, folder).not.toMatch(/:(latest|development)$/)
  })
})

describe.each(overlayNames)('in %s', (overlay) => {
  test.each(services)('%s gets settings that its own schema knows and its own mode accepts', async (service) => {
    const schema = await configurationOf(service)
    const environment = environmentOf(podOf(deploymentOf(overlay, service)).container)
    const known = [...Object.keys(schema.properties), 'LOG_LEVEL', 'NODE_OPTIONS']
    expect(Object.keys(environment).filter((name) => !known.includes(name))).toEqual([])
    expect(() => readConfig(schema, environment)).not.toThrow()
    expect(environment['FRONTDESK_MODE']).toBe(overlay === 'production' ? undefined : 'development')
  })

  test.each(withDatabase)('the Jobs of %s get what each needs: one the database, one the streams', (service) => {
    const jobs = ofKind(render(`${overlay}/${service}`), 'Job').map((job) => podOf(job))
    expect(jobs.map(({ name }) => name.split('.')[0])).toEqual([`${service}-migrate`, `${service}-streams`])
    const owned = allStreams.filter(({ owner }) => owner === service)
    const [migrate, streams] = jobs.map(({ container }) => environmentOf(container))
    expect(ownerUrl(service, migrate ?? {})).toContain(`${rolesOf(service).owner}@${service}-postgres-rw/`)
    expect(natsSettingsOf(migrate ?? {})).toBeUndefined()
    expect(ownerUrl(service, streams ?? {})).toBeUndefined()
    expect(natsSettingsOf(streams ?? {})).toBeDefined()
    expect(() => streamSettings(streams ?? {}, owned)).not.toThrow()
    for (const { container, name } of jobs) {
      expect(container.args).toEqual(['scripts/provision.ts', service])
      // A Job cannot be changed: a release makes its own.
      expect(name).toBe(`${name.split('.')[0]}.${container.image?.split(':')[1]}`)
    }
  })
})

describe('probes and stops', () => {
  test.each(services)(
    '%s is given ten times the 1.5 processor seconds of a start, and is probed on its own port',
    (service) => {
      const { container } = podOf(deploymentOf('production', service))
      const { startupProbe, readinessProbe, livenessProbe, ports, resources } = container
      const allowed = (startupProbe?.periodSeconds ?? 0) * (startupProbe?.failureThreshold ?? 0)
      expect(allowed).toBeGreaterThanOrEqual((10 * 1.5) / Math.max(processorsOf(resources?.requests?.['cpu']), 0.25))
      const port = service === 'gateway' ? 'http' : 'https'
      const get = (path: string) => ({ path, port, ...(port === 'https' ? { scheme: 'HTTPS' } : {}) })
      expect(startupProbe?.httpGet).toEqual(get('/livez'))
      expect(livenessProbe?.httpGet).toEqual(get('/livez'))
      expect(readinessProbe?.httpGet).toEqual(get('/readyz'))
      const listening = Number(environmentOf(container)['PORT'])
      expect(ports?.find(({ name }) => name === port)?.containerPort).toBe(listening)
    },
  )

  test.each(services)('%s is not killed before its drain and its longest request have ended', async (service) => {
    const deployment = deploymentOf('production', service)
    const { pod, container } = podOf(deployment)
    const config = readConfig(await configurationOf(service), environmentOf(container)) as Record<string, string>
    const drain = parseDuration(config['SHUTDOWN_DRAIN'] ?? '')
    const grace = parseDuration(config['SHUTDOWN_GRACE'] ?? '')
    const served = [...Object.values(operations), ...Object.values(internalOperations)].filter(
      (operation) => service === 'gateway' || operation.service === service,
    )
    const longest = Math.max(...served.map(({ deadlineMs }) => deadlineMs))
    expect(grace).toBeGreaterThan(longest)
    if (service === 'webhook-delivery')
      expect(grace - 8_000).toBeGreaterThanOrEqual(parseDuration(config['DELIVERY_DEADLINE'] ?? ''))
    // The process itself exits 2 s after its grace at the latest.
    expect((pod.terminationGracePeriodSeconds ?? 0) * 1000).toBeGreaterThan(drain + grace + 2_000)
  })

  test.each(services)('an eviction, an update and a lost node leave replicas of %s', (service) => {
    const objects = render(`production/${service}`)
    const deployment = deploymentOf('production', service)
    const scaler = objects.find(({ kind }) => kind === 'HorizontalPodAutoscaler') as unknown as IHorizontalPodAutoscaler
    const budget = objects.find(({ kind }) => kind === 'PodDisruptionBudget') as unknown as IPodDisruptionBudget
    expect(scaler.spec?.scaleTargetRef).toMatchObject({ kind: 'Deployment', name: service })
    expect(scaler.spec?.minReplicas).toBeGreaterThanOrEqual(2)
    expect(budget.spec?.maxUnavailable).toBe(1)
    expect(budget.spec?.selector).toEqual(deployment.spec.selector)
    expect(deployment.spec.replicas).toBeUndefined()
    expect(deployment.spec.strategy?.rollingUpdate).toEqual({ maxSurge: 1, maxUnavailable: 0 })
    const { topologySpreadConstraints } = podOf(deployment).pod
    for (const { labelSelector } of topologySpreadConstraints ?? [])
      expect(labelSelector).toEqual(deployment.spec.selector)
    expect(topologySpreadConstraints).toHaveLength(2)
  })
})

interface Cluster {
  kind: string
  metadata: { name: string }
  spec: {
    bootstrap: { initdb: { database: string; owner: string; postInitSQL: string[]; postInitApplicationSQL: string[] } }
    managed: { roles: { name: string }[] }
    postgresql: { parameters: Record<string, string>; pg_hba: string[] }
  }
}

function clusterOf(service: string, overlay = 'production'): Cluster {
  const clusters = render(`${overlay}/postgres`) as unknown as Cluster[]
  const found = clusters.find(({ kind, metadata }) => kind === 'Cluster' && metadata.name === `${service}-postgres`)
  if (found === undefined) throw new Error(`${service} has no cluster of Postgres`)
  return found
}

describe('Postgres', () => {
  test.each(withDatabase)('takes the connections of all replicas of %s that there can be at once', async (service) => {
    const deployment = deploymentOf('production', service)
    const environment = environmentOf(podOf(deployment).container)
    const config = readConfig(await configurationOf(service), environment)
    // The relay's lock, readiness, its look at Postgres itself, a question after a silent statement; heartbeat and dropping of days.
    const besides = service === 'webhook-delivery' ? 6 : 4
    const each = (await pooledConnections(service, config)) + besides
    const scaler = render(`production/${service}`).find(({ kind }) => kind === 'HorizontalPodAutoscaler')
    const replicas = (scaler as unknown as IHorizontalPodAutoscaler).spec?.maxReplicas ?? 0
    // While a release is rolled out all old replicas may still be stopping, beside the new ones and one more.
    const processes = replicas + Number(deployment.spec.strategy?.rollingUpdate?.maxSurge) + replicas
    // Provisioning has two, the operator and its probes five, and Postgres keeps three for administrators.
    const needed = processes * each + 2 + 5 + 3
    expect(needed).toBeLessThanOrEqual(Number(clusterOf(service).spec.postgresql.parameters['max_connections']))
  })

  test.each([...withDatabase, 'sandbox-provider'])('has the database of %s, with the roles of the table', (service) => {
    const { owner, runtime, database } = rolesOf(service)
    const { bootstrap, managed, postgresql } = clusterOf(
      service,
      service === 'sandbox-provider' ? 'development' : 'production',
    ).spec
    expect(bootstrap.initdb).toMatchObject({ owner, database })
    // The operator creates the owner before the first, and the database between the two.
    expect(bootstrap.initdb.postInitSQL).toEqual(roleStatements(service))
    expect(bootstrap.initdb.postInitApplicationSQL).toEqual(connectStatements(service, database))
    expect(postgresql.pg_hba).toEqual([
      `hostssl ${database} ${owner},${runtime} all scram-sha-256`,
      'host all all all reject',
    ])
    expect(managed.roles.map(({ name }) => name)).toEqual([runtime])
  })
})
