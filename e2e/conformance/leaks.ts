// Patterns that no response or log line may contain. No sentence of ours matches one, so there are no false alarms.
const internals: Readonly<Record<string, RegExp>> = {
  'a stack': /\n?\s+at [\w$.<> ]*\(?(?:file:|node:|\/)[^\s)]*:\d+/,
  'a source file': /node_modules|node:internal|\/src\/[\w/-]+\.ts/,
  SQL: /\b(?:insert into|delete from|select [\w*., ]+ from|update \w+ set|on conflict)\b/i,
  'a message of Postgres':
    /SQLSTATE|violates (?:\w+ )*constraint|duplicate key value|relation "|syntax error at or near|invalid input syntax|password authentication/i,
  'a driver error': /ECONN(?:REFUSED|RESET|ABORTED)|UND_ERR_|PrismaClient|EPIPE|ENOTFOUND|JetStream|nats:\/\//,
  'a database address': /postgres(?:ql)?:\/\//,
  "the provider's own words":
    /sk_(?:test|live)_|request_log_url|"decline_code"|StripeInvalidRequest|No such (?:account|customer|checkout)/,
  'an unprintable value': /\[object Object\]|\bundefined\b|\bNaN\b/,
}

/** Returns which internals a text shows, in words, or undefined. Recognises text that JSON has escaped. */
export function leakIn(text: string): string | undefined {
  const plain = text.replaceAll('\\"', '"').replaceAll('\\n', '\n')
  const found = Object.entries(internals).find(([, pattern]) => pattern.test(plain))
  return found && `${found[0]} (${found[1].exec(plain)?.[0].trim().slice(0, 80)})`
}
