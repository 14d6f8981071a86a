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
  if (body === undefined || body === '') return undefined
  if (method === 'GET') return 'a GET has a body'
  return isPlainBody(body, type) ? undefined : 'prism would not read the body, or would write it in another form'
}

const mediaType = /^[\w.+-]+\/[\w.+-]+ *(; *[\w-]+=("[\w-]*"|[\w-]+))*$/

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
