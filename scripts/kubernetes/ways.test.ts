import { busUsers, internalOperations, operations } from '@frontdesk/contracts'
import { hasDatabase } from '@frontdesk/database/service-databases'
import type { INetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1/NetworkPolicy'
import type { INetworkPolicyPeer } from 'kubernetes-models/networking.k8s.io/v1/NetworkPolicyPeer'
import type { INetworkPolicyPort } from 'kubernetes-models/networking.k8s.io/v1/NetworkPolicyPort'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { ofKind, render, renderAll, renderer, withoutRenderer, type Manifest } from './manifests.ts'
import { configurationOf, deploymentOf, environmentOf, podOf, services } from './services.ts'

const withDatabase = services.filter(hasDatabase)

/** A pod of production, by name, with the labels by which policies know it. */
interface Pod {
  name: string
  labels: Record<string, string>
}

const component = (name: string, part: string): Pod => ({
  name: part === 'service' ? name : `${name}-${part}`,
  labels: {
    'app.kubernetes.io/name': name,
    'app.kubernetes.io/component': part,
    'app.kubernetes.io/part-of': 'frontdesk',
  },
})
const pods: readonly Pod[] = [
  ...services.map((service) => component(service, 'service')),
  ...withDatabase.flatMap((service) => [component(service, 'migrate'), component(service, 'streams')]),
  ...withDatabase.map((service) => ({
    name: `${service}-postgres`,
    labels: { 'cnpg.io/cluster': `${service}-postgres` },
  })),
  { name: 'nats', labels: { 'app.kubernetes.io/name': 'nats' } },
]

/** Ports by the names that policies use for them. */
const namedPorts: Record<string, number> = { http: 8080, https: 8080, metrics: 9090 }

/** Places outside of the namespace, by what a policy says of them. */
const outside: [name: string, matches: (peer: INetworkPolicyPeer) => boolean][] = [
  ['dns', (peer) => peer.podSelector?.matchLabels?.['k8s-app'] === 'kube-dns' && namespaceOf(peer) === 'kube-system'],
  [
    'prometheus',
    (peer) =>
      peer.podSelector?.matchLabels?.['app.kubernetes.io/name'] === 'prometheus' && namespaceOf(peer) === 'monitoring',
  ],
  ['ingress', (peer) => namespaceOf(peer) === 'ingress'],
  ['operator of Postgres', (peer) => namespaceOf(peer) === 'cnpg-system'],
  ['internet', (peer) => peer.ipBlock !== undefined],
]

const namespaceOf = (peer: INetworkPolicyPeer) => peer.namespaceSelector?.matchLabels?.['kubernetes.io/metadata.name']

type Selector = NonNullable<INetworkPolicyPeer['podSelector']>

function selects({ matchLabels, matchExpressions }: Selector, { labels }: Pod): boolean {
  return (
    Object.entries(matchLabels ?? {}).every(([label, value]) => labels[label] === value) &&
    (matchExpressions ?? []).every(({ key, values }) => (values ?? []).includes(labels[key] ?? ''))
  )
}

/** Returns the names of what a peer stands for. Throws if that is nothing: a way that nobody can use. */
function placesOf(peer: INetworkPolicyPeer): string[] {
  const elsewhere = outside.filter(([, matches]) => matches(peer)).map(([name]) => name)
  const found =
    peer.namespaceSelector || peer.ipBlock
      ? elsewhere
      : pods.filter((pod) => selects(peer.podSelector ?? {}, pod)).map(({ name }) => name)
  if (found.length === 0) throw new Error(`nothing is ${JSON.stringify(peer)}`)
  return found
}

const portsOf = (ports: readonly INetworkPolicyPort[] | undefined | null): number[] => [
  ...new Set(
    (ports ?? []).map(({ port }) => (typeof port === 'number' ? port : (namedPorts[String(port)] ?? Number.NaN))),
  ),
]

/** Returns each way that the policies open, as `from -> to:port`, out of the pods that they select and into them. */
function openedBy(policies: readonly INetworkPolicy[]) {
  const opened = { out: new Set<string>(), in: new Set<string>() }
  for (const { spec } of policies) {
    const selected = pods.filter((pod) => selects(spec?.podSelector ?? {}, pod)).map(({ name }) => name)
    for (const own of selected) {
      for (const { to, ports } of spec?.egress ?? [])
        for (const place of to?.flatMap(placesOf) ?? ['anywhere'])
          for (const port of portsOf(ports)) opened.out.add(`${own} -> ${place}:${port}`)
      for (const { from, ports } of spec?.ingress ?? [])
        for (const place of from?.flatMap(placesOf) ?? ['anywhere'])
          for (const port of portsOf(ports)) opened.in.add(`${place} -> ${own}:${port}`)
    }
  }
  return opened
}

const everything = (): Manifest[] =>
  ['production', 'production/namespace', 'production/nats', 'production/postgres'].flatMap((folder) => render(folder))

/** Returns the ways that the tables of the code name, and those of the servers among themselves. */
async function needed(): Promise<{ inside: string[]; out: string[]; in: string[] }> {
  const calls = new Set([
    // The gateway serves some itself.
    ...Object.values(operations).flatMap(({ service }) =>
      service === 'gateway' ? [] : [`gateway -> ${service}:8080`],
    ),
    ...Object.values(internalOperations).flatMap(({ callers, service }) =>
      callers.map((caller) => `${caller} -> ${service}:8080`),
    ),
  ])
  const users = busUsers.map(({ name }) => name).filter((name) => (services as readonly string[]).includes(name))
  const inside = [
    ...calls,
    ...users.map((user) => `${user} -> nats:4222`),
    'nats -> nats:6222',
    ...withDatabase.flatMap((service) => [
      `${service} -> ${service}-postgres:5432`,
      `${service}-migrate -> ${service}-postgres:5432`,
      `${service}-streams -> nats:4222`,
      `${service}-postgres -> ${service}-postgres:5432`,
    ]),
  ]
  const internet: string[] = []
  for (const service of services) {
    const { properties } = await configurationOf(service)
    if ('STRIPE_SECRET_KEY' in properties || 'DELIVERY_PORTS' in properties) internet.push(`${service} -> internet:443`)
  }
  return {
    inside,
    out: [
      ...internet,
      ...pods.map(({ name }) => `${name} -> dns:53`),
      // Kubernetes and the storage of backups.
      ...withDatabase.flatMap((service) => [443, 6443].map((port) => `${service}-postgres -> anywhere:${port}`)),
    ],
    in: [
      'ingress -> gateway:8080',
      'prometheus -> gateway:9090',
      'prometheus -> nats:7777',
      ...withDatabase.flatMap((service) => [
        `prometheus -> ${service}:8080`,
        `prometheus -> ${service}-postgres:9187`,
        `operator of Postgres -> ${service}-postgres:5432`,
        `operator of Postgres -> ${service}-postgres:8000`,
      ]),
    ],
  }
}

beforeAll(renderAll, 300_000)
beforeEach(({ skip }) => skip(renderer === undefined, withoutRenderer))

test('every pod is closed, both ways, to what no policy opens', () => {
  const [policy] = ofKind(render('production/namespace'), 'NetworkPolicy')
  expect(policy?.spec).toEqual({ podSelector: {}, policyTypes: ['Ingress', 'Egress'] })
})

test('every policy selects a pod', () => {
  const idle = ofKind(everything(), 'NetworkPolicy').filter(
    ({ spec }) => !pods.some((pod) => selects(spec?.podSelector ?? {}, pod)),
  )
  expect(idle).toEqual([])
})

test('the policies open each way that the tables name, at both ends, and no other', async () => {
  const opened = openedBy(ofKind(everything(), 'NetworkPolicy'))
  const ways = await needed()
  const statusOfPostgres = withDatabase.map((service) => `${service}-postgres -> ${service}-postgres:8000`)
  expect([...opened.out].toSorted()).toEqual([...ways.inside, ...ways.out, ...statusOfPostgres].toSorted())
  expect([...opened.in].toSorted()).toEqual([...ways.inside, ...ways.in, ...statusOfPostgres].toSorted())
})

test('who may be reached from the internet is nobody, and the internet is no network of ours', () => {
  for (const { spec, metadata } of ofKind(everything(), 'NetworkPolicy')) {
    expect(
      spec?.ingress?.some(({ from }) => from === undefined || from?.some(({ ipBlock }) => ipBlock)),
      metadata?.name,
    ).not.toBe(true)
    for (const { ipBlock } of spec?.egress?.flatMap(({ to }) => to ?? []) ?? [])
      if (ipBlock?.cidr === '0.0.0.0/0')
        expect(ipBlock.except).toEqual(
          expect.arrayContaining(['10.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.168.0.0/16']),
        )
  }
})

test.each(services)('%s asks others by the names of their Services, and by no other address', async (service) => {
  const environment = environmentOf(podOf(deploymentOf('production', service)).container)
  const { properties } = await configurationOf(service)
  const certificates = render('production/certificates') as unknown as {
    kind: string
    spec: { secretName: string; dnsNames?: string[] }
  }[]
  const urls = Object.keys(properties).filter((name) =>
    /^(REGISTRY|ACCOUNTS|PAYMENTS|WEBHOOK_DELIVERY)_URL$/.test(name),
  )
  for (const name of urls) {
    const url = new URL(environment[name] ?? '')
    const [target] = render(`production/${url.hostname}`).filter(({ kind }) => kind === 'Service')
    expect(target?.metadata.name).toBe(name.replace('_URL', '').toLowerCase().replace('_', '-'))
    expect((target as unknown as { spec: { ports: object[] } }).spec.ports).toEqual([
      { name: 'https', port: 443, targetPort: 'https' },
    ])
    // The certificate of the called service is for this name.
    const certificate = certificates.find(({ spec }) => spec.secretName === `${url.hostname}-tls`)
    expect(certificate?.spec.dnsNames).toContain(url.hostname)
  }
})
