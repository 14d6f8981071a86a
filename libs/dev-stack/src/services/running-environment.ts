import type { DevFile } from '../dev-file.ts'
import { openCredentials } from './credentials.ts'
import { serviceEnvironment } from './environment.ts'

/**
 * Returns the environment of a service of a running dev stack.
 *
 * @param devStack its state folder and the content of its dev.json
 * @param otherPorts ports, by part, in place of those that the dev stack uses
 */
export function runningEnvironment(
  service: string,
  { home, dev }: { home: string; dev: DevFile },
  otherPorts: Readonly<Record<string, number>> = {},
): Record<string, string> {
  const services = Object.entries(dev.services)
  const ports = Object.fromEntries(services.map(([name, { url }]) => [name, Number(new URL(url).port)]))
  const databases = services.flatMap(([name, { login }]) => (login === undefined ? [] : [[name, login] as const]))
  const databaseUrls = Object.fromEntries(databases.map(([name, { url }]) => [name, url]))
  const passwordFiles = Object.fromEntries(databases.map(([name, login]) => [name, login.passwordFile]))
  const addresses = { ports: { ...ports, ...otherPorts }, natsUrl: dev.nats.url, databaseUrls, passwordFiles }
  return serviceEnvironment(service, addresses, openCredentials(home, Object.keys(dev.services), dev.sandbox))
}
