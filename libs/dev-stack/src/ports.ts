import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { serviceVariable } from '@frontdesk/database/service-databases'
import { freePort, isPortFree } from './processes/free-port.ts'

/** A required port is in use. */
export class PortTakenError extends Error {
  override name = 'PortTakenError'

  constructor(part: string, port: number) {
    const variable = serviceVariable(part, 'PORT')
    super(
      `Another program uses port ${port}, which is to be the port of ${part}. ` +
        `Stop that program, or choose another port: ${variable}=${port + 1} npm start`,
    )
  }
}

/**
 * Chooses a port for every part: the required one, else the one of the last run, else a free one. Ports stay the same
 * across restarts because addresses leave the dev stack (checkout pages, webhooks in flight).
 *
 * @param home the state folder, which stores the choice
 * @param required ports by part; 0 means any
 * @throws PortTakenError
 */
export async function choosePorts<Part extends string>(
  home: string,
  parts: readonly Part[],
  required: Partial<Record<string, number>>,
): Promise<Record<Part, number>> {
  const file = join(home, 'ports.json')
  const remembered = readPorts(file)
  const chosen: Record<string, number> = {}
  for (const part of parts) {
    const wanted = required[part] || undefined
    if (wanted !== undefined && !(await isPortFree(wanted))) throw new PortTakenError(part, wanted)
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
