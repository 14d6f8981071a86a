const largest = 256 * 1024

/**
 * Returns wrong bodies of almost the largest size, by what makes them costly, for any operation. Their names differ from call to
 * call: an engine that has seen a name before reads it faster.
 */
export function worstBodies(salt: string): [what: string, body: string][] {
  const name = (index: number) => `"${salt}${index.toString(36)}"`
  return [
    ['empty objects', filled('[', ']', () => '{}')],
    ['empty line items', filled('{"LineItems":[', ']}', () => '{}')],
    ['empty headers', filled('{"Headers":[', ']}', () => '{}')],
    ['empty event types', filled('{"EventTypes":[', ']}', () => '""')],
    ['unknown members', filled('{', '}', (index) => `${name(index)}:1`)],
    // Just within the bounds of a body.
    ['3,000 unknown members', filled('{', '}', (index) => `${name(index)}:1`, 3_000)],
    ['objects of 2,999 kinds', filled('{"data":[', ']}', (index) => `{${name(index)}:1}`, 2_999)],
    ['10,000 line items', filled('{"LineItems":[', ']}', () => '{}', 9_999)],
    ['100 line items with wrong members', filled('{"LineItems":[', ']}', () => `{"a":1,"b":2,"ProductName":""}`, 100)],
    ['a long string', `{"Name":"${' '.repeat(largest - 100)}\\u0001"}`],
    ['a product name that tries the pattern', `{"LineItems":[{"ProductName":"${'a'.repeat(largest - 100)}\\u0001"}]}`],
    ['numbers just below 2^63', filled('[', ']', () => '9223372036854775807')],
    ['a long number', `{"FeeAmount":1${'0'.repeat(largest - 100)}}`],
  ]
}

/** Joins as many parts as fit, at most `most`. */
function filled(open: string, close: string, part: (index: number) => string, most = Infinity): string {
  const parts: string[] = []
  for (let size = open.length + close.length; parts.length < most;) {
    const next = part(parts.length)
    size += next.length + 1
    if (size > largest) break
    parts.push(next)
  }
  return open + parts.join(',') + close
}
