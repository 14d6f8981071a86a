/** A decoded form value: a text, or a node that stands for an object or a list. */
export type FormValue = string | FormNode
export interface FormNode {
  [key: string]: FormValue
}

/** Thrown for a form that cannot be decoded. `path` is the faulty parameter as the client wrote it. */
export class FormError extends Error {
  readonly path: string | undefined

  constructor(message: string, path?: string) {
    super(message)
    this.name = 'FormError'
    this.path = path
  }
}

const maximumPairs = 2_000
const maximumDepth = 8
const keyPattern = /^([^[\]]+)((?:\[[^[\]]*\])*)$/

/**
 * Decodes `a[b][0][c]=text`, the form in which Stripe's clients write nested parameters.
 *
 * Strict, because repaired input would hide faults of the client: refuses a name given twice, a name that is both text and
 * object, unbalanced brackets and broken percent-encoding. Lists are nodes with the keys `0`, `1`, …; `a[]` appends.
 *
 * @param text a query string or a form body, without a leading `?`
 * @throws FormError
 */
export function decodeForm(text: string): FormNode {
  const root = emptyNode()
  const pairs = text.split('&').filter((pair) => pair !== '')
  if (pairs.length > maximumPairs) throw new FormError(`Too many parameters: at most ${maximumPairs} are accepted.`)
  for (const pair of pairs) {
    const separator = pair.indexOf('=')
    const name = decodeText(separator < 0 ? pair : pair.slice(0, separator))
    const value = decodeText(separator < 0 ? '' : pair.slice(separator + 1))
    assign(root, name, value)
  }
  return root
}

/** Returns the name of a nested parameter as errors show it: `line_items[0][price_data]`. */
export function memberPath(parent: string, key: string | number): string {
  return parent === '' ? String(key) : `${parent}[${key}]`
}

/** Creates a node without a prototype, so that no parameter name can reach one. */
function emptyNode(): FormNode {
  return Object.create(null) as FormNode
}

function decodeText(text: string): string {
  let decoded: string
  try {
    decoded = decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    throw new FormError('Invalid percent-encoding in the request.', text)
  }
  // Postgres cannot store it.
  if (decoded.includes('\0')) throw new FormError('A parameter contains a NUL character.', text)
  return decoded
}

function assign(root: FormNode, name: string, value: string): void {
  const match = keyPattern.exec(name)
  if (!match) throw new FormError(`Invalid parameter name: ${name}`, name)
  const keys = [match[1] ?? '', ...[...(match[2] ?? '').matchAll(/\[([^[\]]*)\]/g)].map((part) => part[1] ?? '')]
  if (keys.length > maximumDepth) throw new FormError(`Parameter nested too deeply: ${name}`, name)

  let node = root
  for (const [index, written] of keys.entries()) {
    const key = written === '' ? String(Object.keys(node).length) : written
    const present = node[key]
    if (index === keys.length - 1) {
      if (present !== undefined) throw new FormError(`Parameter given more than once: ${name}`, name)
      node[key] = value
    } else if (present === undefined) {
      node = node[key] = emptyNode()
    } else if (typeof present === 'string') {
      throw new FormError(`Parameter is both a text and an object: ${name}`, name)
    } else {
      node = present
    }
  }
}
