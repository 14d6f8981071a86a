import { parseArgs } from 'node:util'
import { devFilePath } from '../system/system.ts'

export interface ConformanceOptions {
  /** Absent: the gateway of the credentials file. */
  baseUrl: string | undefined
  credentialsFile: string
  /** Number of generated requests, and no other case; absent: every case, with a few generated requests. */
  requests: number | undefined
  seed: number | undefined
  /** Run only cases whose title or group contains this text. */
  only: string | undefined
  /** Whether to leave processes alone that could be controlled. */
  foreign: boolean
  /** Whether to kill services without asking. */
  killServices: boolean
  /** Whether to send requests through a prism proxy. */
  throughPrism: boolean
  help: boolean
}

export const usage = `npm run conformance -- [options]

Runs every case against a running gateway and prints a table: operations by success and error categories. The suite
creates its own sites and deletes them at the end. Without options it tests the system that npm start runs, and asks before it
kills its services.

  --base-url URL      the gateway; default: the gateway of the credentials file
  --credentials FILE  the clients; default: .frontdesk/dev.json of the running npm start
  --only TEXT         run only the cases whose title or group contains TEXT; all attacks: --only attacks
  --requests N        send only generated requests, N of them
  --seed N            repeat the generated requests of an earlier run
  --kill-services     kill services without asking, for CI
  --foreign           do not kill services, even on this machine
  --through-prism     check every exchange against the gateway's /openapi.json with a prism proxy
  --help              print this text

The file of another system needs one client with every scope and one practice management system. More clients (with
several systems; with read scopes only), an "eventSource" and the address of a "sandbox" let more cases run:

  { "clients": [{ "id": "...", "secret": "...", "scopes": ["sites:read", "..."],
                  "practiceManagementSoftware": ["OpenDental"], "eventSource": "https://..." }] }
`

/** Reads the command line. Throws TypeError unless it matches `usage`. */
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
      'kill-services': { type: 'boolean', default: false },
      'through-prism': { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  return {
    baseUrl: values['base-url']?.replace(/\/$/, ''),
    credentialsFile: values.credentials ?? devFilePath(env),
    requests: wholeNumber('requests', values.requests),
    seed: wholeNumber('seed', values.seed),
    only: values.only,
    foreign: values.foreign,
    killServices: values['kill-services'],
    throughPrism: values['through-prism'],
    help: values.help,
  }
}

function wholeNumber(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const value = Number(text)
  if (!Number.isSafeInteger(value) || value < 0) throw new TypeError(`--${name} takes a whole number, not ${text}`)
  return value
}
