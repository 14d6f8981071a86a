import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort, isPortFree } from './free-port.ts'

/** A port that somebody asked for is in use. */
export class PortTakenError extends Error {
  override name = 'PortTakenError'
  readonly variable: string

  constructor(part: string, port: number, variable: string) {
    super(
      `Port ${port}, on which ${part} is to listen, is taken by another program. ` +
        `Stop that program, or choose another port: ${variable}=${port + 1} npm start`,
    )
    this.variable = variable
  }
}

/** Environment variable with the port of a part: `GATEWAY_PORT`, `WEBHOOK_DELIVERY_PORT`. */
export function portVariable(part: string): string {
  return `${part.toUpperCase().replaceAll('-', '_')}_PORT`
}

/**
 * Chooses the port of every part: the one asked for, else the one it had the last time, else a free one. They stay the
 * same across restarts because addresses are handed out (checkout pages, webhooks in flight).
 *
 * @param home the state folder, where they are remembered
 * @param asked ports that must be used; 0 means any
 * @throws PortTakenError when a port that was asked for is in use
 */
export async function choosePorts<Part extends string>(
  home: string,
  parts: readonly Part[],
  asked: Partial<Record<string, number>>,
): Promise<Record<Part, number>> {
  const file = join(home, 'ports.json')
  const remembered = readPorts(file)
  const chosen: Record<string, number> = {}
  for (const part of parts) {
    const wanted = asked[part] || undefined
    if (wanted !== undefined && !(await isPortFree(wanted))) throw new PortTakenError(part, wanted, portVariable(part))
    const before = remembered[part]
    chosen[part] = wanted ?? (before !== undefined && (await isPortFree(before)) ? before : await unusedPort(chosen))
  }
  writeFileSync(file, JSON.stringify({ ...remembered, ...chosen }, undefined, 2))
  return chosen
}

function readPorts(file: string): Record<string, number> {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Record<string, number>
  } catch {
    return {}
  }
}

async function unusedPort(chosen: Record<string, number>): Promise<number> {
  for (;;) {
    const port = await freePort()
    if (!Object.values(chosen).includes(port)) return port
  }
}
