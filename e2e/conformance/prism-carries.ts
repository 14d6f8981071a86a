import { isObject } from './check.ts'
import { parsed, type Question } from './exchange.ts'

/** Prism's server accepts 16 KiB of address and headers, and nesting as deep as its stack. */
const most = 8 * 1024

/**
 * Returns why prism would not forward a request unchanged; undefined if it would. Prism parses addresses and JSON bodies
 * and writes them again, so an unusual form would arrive as something else.
 */
export function whyNotThroughPrism({ method, path, headers = {}, body }: Question): string | undefined {
  if (!['GET', 'POST', 'PATCH', 'DELETE'].includes(method)) return 'no operation has this method'
  if (path.length + JSON.stringify(headers).length > most) return 'the address or the headers are too long for prism'
  if (Object.values(headers).some(Array.isArray)) return 'a header is repeated'
  if (!isPlainPath(path)) return 'prism would write the address in another form'
  const type = String(headers['content-type'] ?? '')
  if (type !== '' && !mediaType.test(type)) return 'the content type is malformed'
  if (isRespelt(new URL(path, 'http://gateway.example').searchParams)) return respelt
  if (body === undefined || body === '') return undefined
  if (method === 'GET') return 'a GET has a body'
  if (!isPlainBody(body, type)) return 'prism would not read the body, or would write it in another form'
  return hasRespelt(parsed(String(body)), method !== 'PATCH') ? respelt : undefined
}

const mediaType = /^[\w.+-]+\/[\w.+-]+ *(; *[\w-]+=("[\w-]*"|[\w-]+))*$/

const respelt = 'a value has a spelling that is taken and that the document does not show (docs/decisions/035)'

/** Returns whether a query has a boolean or a country in another form than the document's. */
function isRespelt(query: URLSearchParams): boolean {
  const isActive = query.get('isActive')
  const isOther = isActive !== null && /^(?:true|false|[01])$/i.test(isActive) && !/^(?:true|false)$/.test(isActive)
  return isOther || query.getAll('Countries').some((code) => !/^[A-Z]{2}$/.test(code))
}

/** Returns whether a body has a null member that counts as absent, or a code in another form than the document's. */
function hasRespelt(value: unknown, nullIsAbsent: boolean): boolean {
  if (value === null) return nullIsAbsent
  if (Array.isArray(value)) return value.some((item) => hasRespelt(item, nullIsAbsent))
  if (!isObject(value)) return false
  return Object.entries(value).some(([name, member]) => {
    if (name === 'Country' && typeof member === 'string') return !/^[A-Z]{2}$/.test(member)
    if (name === 'Currency' && typeof member === 'string') return !/^[A-Z]{3}$/.test(member)
    return hasRespelt(member, nullIsAbsent)
  })
}

function isPlainPath(path: string): boolean {
  const { pathname, searchParams } = new URL(path, 'http://gateway.example')
  const search = searchParams.toString()
  return !path.includes('//') && isDecodable(pathname) && pathname + (search === '' ? '' : `?${search}`) === path
}

function isDecodable(path: string): boolean {
  try {
    return decodeURIComponent(path) !== ''
  } catch {
    return false
  }
}

/** Returns whether JSON is written as we write it, with ASCII names: prism reports unknown members in a header. */
function isPlainBody(body: string | Buffer, type: string): boolean {
  const text = String(body)
  if (body.length > most || !/json/i.test(type) || !Buffer.from(text).equals(Buffer.from(body))) return false
  const value = parsed(text)
  return (isObject(value) || Array.isArray(value)) && JSON.stringify(value) === text && hasPlainNames(value)
}

function hasPlainNames(value: unknown): boolean {
  if (Array.isArray(value)) return value.every(hasPlainNames)
  if (!isObject(value)) return true
  return Object.entries(value).every(([name, member]) => /^[\x20-\x7e]*$/.test(name) && hasPlainNames(member))
}
