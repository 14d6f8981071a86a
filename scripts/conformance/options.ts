import { join } from 'node:path'
import { parseArgs } from 'node:util'

export interface ConformanceOptions {
  /** Absent: the gateway that the credentials file names. */
  baseUrl: string | undefined
  credentialsFile: string
  /** How many generated requests; absent: the short form, and with it every other case. */
  requests: number | undefined
  seed: number | undefined
  /** Only cases whose group or title holds this text. */
  only: string | undefined
  /** Whether to leave the processes alone although they could be controlled. */
  foreign: boolean
  /** Whether a prism proxy stands between the suite and the gateway. */
  throughPrism: boolean
  help: boolean
}

export const usage = `npm run conformance -- [options]

Plays every case against a running gateway and prints a table: operations by success and error categories. It makes sites
of its own, and deletes them at the end. Without options it takes the system that npm start runs, and kills its services.

  --base-url URL      the gateway; default: the one that the credentials file names
  --credentials FILE  clients of it; default: .frontdesk/dev.json of the running npm start
  --only TEXT         only the cases whose title or group holds TEXT
  --requests N        only generated requests, N of them
  --seed N            which ones
  --foreign           leave the processes alone, also where they are this machine's own
  --through-prism     hold every exchange against the gateway's /openapi.json, by a prism proxy in between
  --help              this text

The file of another system needs one client, with every scope and one practice management system. With more clients
(with several systems; with scopes to read only), "eventSource" and the address of a "sandbox" more cases are played:

  { "clients": [{ "id": "...", "secret": "...", "scopes": ["sites:read", "..."],
                  "practiceManagementSoftware": ["OpenDental"], "eventSource": "https://..." }] }
`

/** Reads the command line. Throws TypeError where it is not as `usage` says. */
export function parseOptions(argv: readonly string[], env: Record<string, string | undefined>): ConformanceOptions {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      'base-url': { type: 'string' },
      credentials: { type: 'string' },
      requests: { type: 'string' },
      seed: { type: 'string' },
      only: { type: 'string' },
      foreign: { type: 'boolean', default: false },
      'through-prism': { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  return {
    baseUrl: values['base-url']?.replace(/\/$/, ''),
    credentialsFile: values.credentials ?? join(env['FRONTDESK_HOME'] ?? '.frontdesk', 'dev.json'),
    requests: wholeNumber('requests', values.requests),
    seed: wholeNumber('seed', values.seed),
    only: values.only,
    foreign: values.foreign,
    throughPrism: values['through-prism'],
    help: values.help,
  }
}

function wholeNumber(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const value = Number(text)
  if (!Number.isSafeInteger(value) || value < 0) throw new TypeError(`--${name} takes a whole number, and not ${text}`)
  return value
}
