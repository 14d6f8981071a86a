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
}

export const usage = `npm run conformance -- [options]

  --base-url URL      the gateway; default: the one that the credentials file names
  --credentials FILE  clients of it, as .frontdesk/dev.json has them; default: that of the running npm start
  --only TEXT         only the cases whose title or group holds TEXT
  --requests N        only generated requests, N of them
  --seed N            which ones
  --foreign           leave the processes alone, also where they are this machine's own
  --through-prism     hold every exchange against the gateway's /openapi.json, by a prism proxy in between
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
  }
}

function wholeNumber(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const value = Number(text)
  if (!Number.isSafeInteger(value) || value < 0) throw new TypeError(`--${name} takes a whole number, and not ${text}`)
  return value
}
