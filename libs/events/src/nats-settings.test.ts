import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { natsLogin, natsSettingsOf, NatsSettingError } from './nats-settings.ts'

const folder = mkdtempSync(join(tmpdir(), 'nats-settings-'))
afterAll(() => rmSync(folder, { recursive: true }))
const file = join(folder, 'password')
writeFileSync(file, 'secret\n')

const far = 'nats://nats.example:4222'
test.each([
  ['credentials in the address', { NATS_URL: 'nats://payments:secret@nats.example:4222' }, /NATS_PASSWORD_FILE/],
  ['another protocol', { NATS_URL: 'https://nats.example' }, /nats:\/\/nats.example:4222/],
  ['no server', { NATS_URL: 'nats://' }, /NATS_URL/],
  ['no TLS to another machine', { NATS_URL: far, NATS_TLS: 'off' }, /loopback, which nats.example is not/],
  ['a user without a password', { NATS_URL: far, NATS_USER: 'payments' }, /NATS_PASSWORD_FILE belong together/],
  ['a password without a user', { NATS_URL: far, NATS_PASSWORD_FILE: file }, /belong together/],
  [
    'two logins',
    { NATS_URL: far, NATS_USER: 'payments', NATS_PASSWORD_FILE: file, NATS_CREDENTIALS_FILE: file },
    /not both/,
  ],
  ['no key in the key file', { NATS_URL: far, NATS_CREDENTIALS_FILE: file }, /has not an nkey's seed/],
  ['a certificate without its key', { NATS_URL: far, NATS_CERT_FILE: file }, /NATS_KEY_FILE belong together/],
  ['TLS that is off and on', { NATS_URL: 'tls://localhost', NATS_TLS: 'off' }, /contradicts/],
  ['an address for a name', { NATS_URL: 'nats://10.0.0.7:4222' }, /Name it as its certificate does/],
])('%s is refused, and the reason says what to set', (_, settings, reason) => {
  expect(() => natsLogin(settings)).toThrow(NatsSettingError)
  expect(() => natsLogin(settings)).toThrow(reason)
})

test('TLS is required of every server but those on loopback, unless a mesh encrypts', () => {
  expect(natsLogin({ NATS_URL: 'nats://127.0.0.1:4222,localhost,nats://[::1]:4223' })).not.toHaveProperty('tls')
  expect(natsLogin({ NATS_URL: `localhost,${far}` })).toMatchObject({ tls: {} })
  expect(natsLogin({ NATS_URL: far, NATS_CA_FILE: file })).toMatchObject({ tls: { caFile: file } })
  expect(natsLogin({ NATS_URL: 'tls://localhost' })).toMatchObject({ tls: {} })
  expect(natsLogin({ NATS_URL: 'localhost', NATS_TLS: 'required' })).toMatchObject({ tls: {} })
  expect(natsLogin({ NATS_URL: far, NATS_TLS: 'mesh' })).not.toHaveProperty('tls')
})

test('an empty setting is none', () => {
  expect(natsSettingsOf({ NATS_URL: '', HOME: '/root' })).toBeUndefined()
  expect(natsSettingsOf({ NATS_URL: far, NATS_USER: '', HOME: '/root' })).toEqual({ NATS_URL: far })
})
