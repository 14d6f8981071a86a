import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseAllDocuments } from 'yaml'
import type { IDeployment } from 'kubernetes-models/apps/v1/Deployment'
import type { IJob } from 'kubernetes-models/batch/v1/Job'
import type { INetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1/NetworkPolicy'

export const root = resolve(import.meta.dirname, '../..')
export const manifestsFolder = join(root, 'deploy/kubernetes')

/** An object of Kubernetes, of any kind. */
export interface Manifest {
  apiVersion: string
  kind: string
  metadata: { name: string; namespace?: string; labels?: Record<string, string> }
}

interface Kinds {
  Deployment: IDeployment
  Job: IJob
  NetworkPolicy: INetworkPolicy
}

/** Programs that render an overlay, with the arguments before its folder. */
const renderers = [
  ['kustomize', 'build'],
  ['kubectl', 'kustomize'],
] as const

/** The program on this machine that renders overlays; undefined if there is none. */
export const renderer = renderers.find(([program, command]) => {
  try {
    execFileSync(program, [command, '--help'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
})

/** What a skipped test says. */
export const withoutRenderer = 'neither kustomize nor kubectl is here: the manifests were not rendered'

const rendered = new Map<string, Manifest[]>()

/** Returns the objects of a folder below deploy/kubernetes, as `kubectl apply -k` would send them. Throws what the program prints. */
export function render(folder: string): Manifest[] {
  let objects = rendered.get(folder)
  if (objects === undefined) {
    if (renderer === undefined) throw new Error(withoutRenderer)
    const [program, command] = renderer
    const text = execFileSync(program, [command, join(manifestsFolder, folder)], { encoding: 'utf8', stdio: 'pipe' })
    objects = parseAllDocuments(text).map((document) => document.toJS() as Manifest)
    rendered.set(folder, objects)
  }
  return objects
}

/** Returns the objects of one kind. */
export function ofKind<Kind extends keyof Kinds>(objects: readonly Manifest[], kind: Kind): Kinds[Kind][] {
  return objects.filter((object) => object.kind === kind) as unknown as Kinds[Kind][]
}

/** Returns the folders that are applied: every overlay of a part, and those that have all services. */
export function overlays(): string[] {
  return ['production', 'development'].flatMap((overlay) => [
    overlay,
    ...readdirSync(join(manifestsFolder, overlay))
      .map((part) => `${overlay}/${part}`)
      .filter((folder) => existsSync(join(manifestsFolder, folder, 'kustomization.yaml'))),
  ])
}

/** Renders every overlay, if this machine can: each takes a tenth of a second, and much longer on a busy machine. */
export function renderAll(): void {
  if (renderer === undefined) console.log(withoutRenderer)
  else for (const folder of [...overlays(), 'external-secrets']) render(folder)
}
