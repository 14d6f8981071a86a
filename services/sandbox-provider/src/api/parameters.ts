import { invalidRequest } from './errors.ts'
import { memberPath, type FormNode, type FormValue } from './form.ts'

/** Decodes one parameter from its form value, which is undefined if absent. Throws Stripe's error for it. */
export type Decoder<T> = (value: FormValue | undefined, path: string) => T

/** The result of decoding an object by its members' decoders. */
export type Decoded<Members> = { [Name in keyof Members]: Members[Name] extends Decoder<infer T> ? T : never }

/** Makes a parameter required. */
export function required<T>(decoder: Decoder<T>): Decoder<Exclude<T, undefined>> {
  return (value, path) => {
    if (value === undefined) throw invalidRequest(`Missing required param: ${path}.`, path, 'parameter_missing')
    return decoder(value, path) as Exclude<T, undefined>
  }
}

/** Text of 1 to `maximum` characters. */
export function text(maximum = 5_000): Decoder<string | undefined> {
  return (value, path) => {
    if (value === undefined) return undefined
    if (typeof value !== 'string') throw invalidRequest('Invalid string: must be a text.', path)
    if (value === '') throw emptyText(path)
    if (value.length > maximum) {
      const shown = `${value.slice(0, 20)}…${value.slice(-10)}`
      throw invalidRequest(`Invalid string: ${shown}; must be at most ${maximum} characters`, path)
    }
    return value
  }
}

/** Text that matches a pattern; `message` is the error's text for any other. */
export function matching(
  pattern: RegExp,
  message: (value: string) => string,
  code?: string,
): Decoder<string | undefined> {
  const decode = text()
  return (value, path) => {
    const read = decode(value, path)
    if (read !== undefined && !pattern.test(read)) throw invalidRequest(message(read), path, code)
    return read
  }
}

/** A whole number in decimal digits, at most the largest that a double holds exactly. */
export function integer(minimum: number, maximum: number = Number.MAX_SAFE_INTEGER): Decoder<number | undefined> {
  return (value, path) => {
    if (value === undefined) return undefined
    if (value === '') throw emptyText(path)
    const read = typeof value === 'string' && /^-?\d{1,16}$/.test(value) ? Number(value) : NaN
    if (!Number.isSafeInteger(read)) {
      throw invalidRequest(
        `Invalid integer: ${typeof value === 'string' ? value : '{}'}`,
        path,
        'parameter_invalid_integer',
      )
    }
    if (read < minimum) {
      const bound = minimum === 0 ? 'non-negative integer' : `integer: must be greater than or equal to ${minimum}`
      throw invalidRequest(`Invalid ${bound}`, path, 'parameter_invalid_integer')
    }
    if (read > maximum) {
      throw invalidRequest(
        `Invalid integer: must be less than or equal to ${maximum}`,
        path,
        'parameter_invalid_integer',
      )
    }
    return read
  }
}

/** `true` or `false`. */
export function flag(): Decoder<boolean | undefined> {
  return (value, path) => {
    if (value === undefined) return undefined
    if (value !== 'true' && value !== 'false') {
      throw invalidRequest(`Invalid boolean: ${typeof value === 'string' ? value : '{}'}`, path)
    }
    return value === 'true'
  }
}

/** One of the given words. */
export function oneOf<const Word extends string>(...words: Word[]): Decoder<Word | undefined> {
  return (value, path) => {
    if (value === undefined) return undefined
    const word = words.find((candidate) => candidate === value)
    if (word === undefined) throw invalidRequest(`Invalid ${path}: must be one of ${words.join(', ')}`, path)
    return word
  }
}

/** An absolute http or https address. */
export function url(): Decoder<string | undefined> {
  const decode = text(5_000)
  return (value, path) => {
    const read = decode(value, path)
    if (read === undefined) return undefined
    if (!/^https?:\/\//i.test(read) || !URL.canParse(read)) throw invalidRequest('Not a valid URL', path, 'url_invalid')
    return read
  }
}

/** An object with these members only. Like Stripe, it refuses an unknown member by its full name. */
export function object<Members extends Record<string, Decoder<unknown>>>(
  members: Members,
): Decoder<Decoded<Members> | undefined> {
  return (value, path) => {
    if (value === undefined) return undefined
    if (typeof value === 'string') throw invalidRequest('Invalid object', path)
    return decodeMembers(members, value, path)
  }
}

/** Decodes the parameters of a request. Throws ApiError. */
export function decodeParameters<Members extends Record<string, Decoder<unknown>>>(
  members: Members,
  form: FormNode,
): Decoded<Members> {
  return decodeMembers(members, form, '')
}

/** A list of at most `maximum` elements. */
export function list<T>(element: Decoder<T>, maximum: number): Decoder<Array<Exclude<T, undefined>> | undefined> {
  return (value, path) => {
    if (value === undefined) return undefined
    if (typeof value === 'string') throw invalidRequest('Invalid array', path)
    const keys = Object.keys(value)
      .map(Number)
      .sort((left, right) => left - right)
    if (keys.some((key, index) => key !== index)) throw invalidRequest('Invalid array', path)
    if (keys.length > maximum) throw invalidRequest(`Array too long: at most ${maximum} elements are accepted.`, path)
    return keys.map((key) => element(value[key], memberPath(path, key)) as Exclude<T, undefined>)
  }
}

/** Stripe's metadata: up to 50 keys of up to 40 characters, with texts of up to 500. */
export function metadata(): Decoder<Record<string, string> | undefined> {
  return (value, path) => {
    if (value === undefined) return undefined
    if (typeof value === 'string') throw invalidRequest('Invalid object', path)
    const entries = Object.entries(value)
    if (entries.length > 50) throw invalidRequest('Metadata can have up to 50 keys', path)
    return Object.fromEntries(
      entries.map(([key, entry]) => {
        const at = memberPath(path, key)
        if (typeof entry !== 'string') throw invalidRequest('Metadata values must be strings', at)
        if (key.length > 40) throw invalidRequest('Metadata keys can have up to 40 characters', at)
        if (entry.length > 500) throw invalidRequest('Metadata values can have up to 500 characters', at)
        return [key, entry]
      }),
    )
  }
}

/** The `expand` parameter, limited to the paths that an operation can expand. */
export function expand(...expandable: string[]): Decoder<string[] | undefined> {
  const decode = list(required(text(200)), 20)
  return (value, path) => {
    const paths = decode(value, path)
    for (const [index, requested] of (paths ?? []).entries()) {
      if (!expandable.includes(requested)) {
        throw invalidRequest(`This property cannot be expanded (${requested}).`, memberPath(path, index))
      }
    }
    return paths
  }
}

function decodeMembers<Members extends Record<string, Decoder<unknown>>>(
  members: Members,
  node: FormNode,
  path: string,
): Decoded<Members> {
  const unknown = Object.keys(node).find((name) => !Object.hasOwn(members, name))
  if (unknown !== undefined) {
    const at = memberPath(path, unknown)
    throw invalidRequest(`Received unknown parameter: ${at}`, at, 'parameter_unknown')
  }
  const decoded = Object.entries(members).map(([name, decode]) => [name, decode(node[name], memberPath(path, name))])
  return Object.fromEntries(decoded) as Decoded<Members>
}

function emptyText(path: string): ReturnType<typeof invalidRequest> {
  return invalidRequest(
    `You passed an empty string for '${path}'. We assume empty values are an attempt to unset a parameter; however ` +
      `'${path}' cannot be unset. You should remove '${path}' from your request or supply a non-empty value.`,
    path,
    'parameter_invalid_empty',
  )
}
