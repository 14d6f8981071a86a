import { isObject } from './check.ts'
import { parsed, type Question } from './exchange.ts'

/** Prism's server takes headers of 16 KiB, with the address; and it nests as deep as its stack is. */
const most = 8 * 1024

/**
 * Why prism would not pass a request on as it is; undefined where it does. It reads addresses and JSON bodies and writes
 * them anew, so what has another form than the usual one would arrive as something else.
 */
export function whyNotThroughPrism({ method, path, headers = {}, body }: Question): string | undefined {
  if (!['GET', 'POST', 'PATCH', 'DELETE'].includes(method)) return 'a method that no operation has'
  if (path.length + JSON.stringify(headers).length > most) return 'an address or headers that prism does not take'
  if (Object.values(headers).some(Array.isArray)) return 'a header that is there twice'
  if (!isPlainPath(path)) return 'an address that prism would write in another way'
  const type = String(headers['content-type'] ?? '')
  if (type !== '' && !mediaType.test(type)) return 'a content type that is none'
  if (body === undefined || body === '') return undefined
  if (method === 'GET') return 'a GET with a body'
  return isPlainBody(body, type) ? undefined : 'a body that prism would not read, or write in another way'
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

/** JSON that is written as we write it. Prism names unknown members in a header, which takes ASCII. */
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
