import { Type } from 'typebox'

/**
 * The purpose for which a service runs. `development` is the only way to what makes work on one machine easy and would be a hole anywhere
 * else; the table below lists it. `npm start`, tests and benches set it. Nothing sets it in a deployment (docs/decisions/034).
 */
export const modeSettings = {
  FRONTDESK_MODE: Type.Enum(['production', 'development'], { default: 'production' }),
}

type Settings = Readonly<Record<string, unknown>>

interface Rule {
  /** The settings that it judges. */
  setting: RegExp
  /** Returns why this value needs development mode; undefined if it does not. Never tells the value, which may be a secret. */
  why(value: string, settings: Settings, setting: string): string | undefined
}

const sandbox = 'whoever reaches the sandbox pays without money'
const plainHttp = 'tokens, site keys and personal data would pass in the clear; name an address with https'

/** Everything that only development may do. */
const onlyInDevelopment: readonly Rule[] = [
  {
    setting: /^DELIVERY_ALLOW_LOOPBACK$/,
    why: isTrue('a subscription could reach whatever else listens on the machine'),
  },
  { setting: /^DELIVERY_ALLOW_HTTP$/, why: isTrue('events and the headers of subscriptions would pass in the clear') },
  { setting: /^RETURN_URL_ALLOW_HTTP$/, why: isTrue('browsers would go back to a practice in the clear') },
  { setting: /^SANDBOX_PROVIDER_URL$/, why: () => sandbox },
  { setting: /^SANDBOX_PROVIDER_DATABASE_URL$/, why: () => sandbox },
  {
    setting: /_PUBLISHABLE_KEY$/,
    why(value, settings, setting) {
      const beside = setting.replace('PUBLISHABLE', 'SECRET')
      const [one, other] = [liveOrTest(value), liveOrTest(settings[beside])]
      if (one === undefined || other === undefined || one === other) return undefined
      return `it is a ${one} key and ${beside} a ${other} one`
    },
  },
  { setting: /^PUBLIC_URL$/, why: (value) => (isPlain(value) ? plainHttp : undefined) },
  {
    setting: /^(REGISTRY|ACCOUNTS|PAYMENTS|WEBHOOK_DELIVERY)_URL$/,
    why: (value, { INTERNAL_TLS: tls }) =>
      isPlain(value) && !isLocal(hostOf(value)) && tls !== 'mesh'
        ? 'calls between services would pass in the clear; set INTERNAL_TLS=mutual, or mesh if one encrypts them'
        : undefined,
  },
  {
    setting: /^HOST$/,
    // The gateway, which alone has clients, stands behind the proxy that ends TLS for PUBLIC_URL.
    why: (value, { INTERNAL_JWKS_FILE: serves, CLIENTS_FILE: clients, INTERNAL_TLS: tls }) =>
      serves !== undefined && clients === undefined && !isLocal(value) && tls === undefined
        ? 'others could reach the service in the clear; set INTERNAL_TLS=mutual, or mesh if one encrypts calls'
        : undefined,
  },
  { setting: /_DATABASE_URL$/, why: whyDatabase },
  {
    setting: /^NATS_URL$/,
    // Absent, NATS_TLS means `required` for a server on another machine.
    why: (value, { NATS_TLS: tls }) =>
      tls === 'off' && value.split(',').some((url) => !isLocal(hostOf(url)))
        ? 'events and passwords would pass in the clear; set NATS_TLS=required, or mesh if one encrypts them'
        : undefined,
  },
]

/** Returns a sentence for each setting that needs `FRONTDESK_MODE=development`, with the reason; none in that mode. */
export function developmentFaults(settings: Settings): string[] {
  if (settings['FRONTDESK_MODE'] === 'development') return []
  return Object.entries(settings).flatMap(([setting, value]) =>
    onlyInDevelopment.flatMap((rule) => {
      const why = rule.setting.test(setting) ? rule.why(String(value), settings, setting) : undefined
      return why === undefined ? [] : [`${setting} needs FRONTDESK_MODE=development: ${why}`]
    }),
  )
}

function isTrue(reason: string): Rule['why'] {
  return (value) => (value === 'true' ? reason : undefined)
}

/** Postgres without a password, without a role of its own or, away from this machine, without a verified certificate. */
function whyDatabase(value: string, settings: Settings, setting: string): string | undefined {
  const url = urlOf(value)
  if (url === undefined) return undefined
  const passwordFile = setting.replace(/(_DIRECT)?_DATABASE_URL$/, '_DATABASE_PASSWORD_FILE')
  const hasPassword = url.password !== '' || settings[passwordFile] !== undefined || url.searchParams.has('sslcert')
  if (url.username === '' || url.username === 'postgres')
    return "its user is Postgres's superuser; give the service a role"
  if (!hasPassword) return `it has no password; name a file in ${passwordFile}`
  const host = url.searchParams.get('host') ?? url.hostname
  const isVerified = url.searchParams.get('sslmode') === 'verify-full'
  if (!isLocal(host) && !isVerified) return 'its connections would not be verified; add sslmode=verify-full'
  return undefined
}

const isPlain = (url: string) => url.startsWith('http://')
const liveOrTest = (key: unknown) =>
  typeof key === 'string' ? /^[a-z]+(?:_org)?_(live|test)_/.exec(key)?.[1] : undefined

/** Whether a host is this machine, or a socket of its file system. */
function isLocal(host: string): boolean {
  const name = decodeURIComponent(host)
  return /^(|\/.*|localhost|127(\.\d{1,3}){3}|::1|\[::1\])$/.test(name)
}

/** Returns the host of an address, which may lack its scheme as servers of NATS do. */
function hostOf(address: string): string {
  const text = address.trim()
  return urlOf(text.includes('://') ? text : `nats://${text}`)?.hostname ?? text
}

function urlOf(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined
}
