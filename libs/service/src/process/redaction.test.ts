import { pino } from 'pino'
import { expect, test } from 'vitest'
import { logOptions } from './run.ts'

const secrets = {
  key: 'frontdesk_site_9fK2mQ',
  signing: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  provider: 'sk_test_51Habc',
  token: 'eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiJhIn0.c2lnbmVk',
  password: 'correct-horse',
  plain: 'only-its-name-tells',
}

/** Returns what a service's logger writes. */
function logged(write: (log: pino.Logger) => void): string {
  let text = ''
  write(pino(logOptions('test', 'info'), { write: (line: string) => void (text += line) }))
  return text
}

test.for<[string, (log: pino.Logger) => void]>([
  ['in a member five levels down', (log) => log.info({ a: { b: { c: { d: { clientSecret: secrets.plain } } } } })],
  [
    'in a list of headers',
    (log) => log.info({ requests: [{ headers: { authorization: `Bearer ${secrets.token}` } }] }),
  ],
  ['in the message', (log) => log.info(`the key ${secrets.key} of ${secrets.provider}`)],
  ['in the message of an error', (log) => log.error({ err: new Error(`bad ${secrets.signing}`) }, 'failed')],
  ['in the cause of an error', (log) => log.error({ err: new Error('a', { cause: new Error(`b ${secrets.token}`) }) })],
  [
    'in a member of an error',
    (log) => log.error({ err: Object.assign(new Error('c'), { config: { password: secrets.password } }) }),
  ],
  [
    'in an address',
    (log) => log.warn({ url: `postgresql://payments:${secrets.password}@db.internal/payments` }, 'lost'),
  ],
  ['in JSON that is a text', (log) => log.info({ body: JSON.stringify({ SigningSecret: secrets.plain, kept: 1 }) })],
  [
    'in a child without redaction of its own',
    (log) => log.child({}, { redact: [] }).info({ PrimaryKey: secrets.plain }),
  ],
])('a secret %s does not reach the log', ([, write]) => {
  const text = logged(write)
  for (const secret of Object.values(secrets)) expect(text).not.toContain(secret)
  expect(text).toContain('[redacted]')
  // It is still JSON.
  for (const line of text.trimEnd().split('\n')) expect(JSON.parse(line)).toMatchObject({ service: 'test' })
})

test('what is no secret stays as it is', () => {
  const told = {
    siteSlug: 's4Kd9',
    url: 'https://example.test/a?b=c',
    reason: 'the signature is wrong',
  }
  expect(JSON.parse(logged((log) => log.info(told, 'said')))).toMatchObject({ ...told, msg: 'said' })
})
