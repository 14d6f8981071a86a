import { Type } from 'typebox'
import { expect, test } from 'vitest'
import { ConfigError, readConfig } from './config.ts'
import { duration, schedule } from './durations.ts'
import { modeSettings } from './modes.ts'

const schema = Type.Object({
  PORT: Type.Integer({ minimum: 0, default: 0 }),
  NATS_URL: Type.String(),
  PUBLIC_URL: Type.String(),
  VERBOSE: Type.Optional(Type.Boolean()),
})

test('a configuration has coerced values and defaults, is frozen, and holds no other variables', () => {
  const config = readConfig(schema, {
    NATS_URL: 'nats://localhost',
    PUBLIC_URL: 'https://x',
    VERBOSE: 'true',
    HOME: '/root',
  })
  expect(config).toEqual({ PORT: 0, NATS_URL: 'nats://localhost', PUBLIC_URL: 'https://x', VERBOSE: true })
  expect(Object.isFrozen(config)).toBe(true)
})

test('one error names every fault, and an empty variable counts as missing', () => {
  const read = () => readConfig(schema, { PORT: 'ninety', NATS_URL: '' })
  expect(read).toThrow(ConfigError)
  expect(read).toThrow(/PORT[\s\S]*NATS_URL is missing|NATS_URL is missing[\s\S]*PORT/)
})

test('a setting that only development allows is a fault beside the others, and an unknown mode is one', () => {
  const moded = Type.Object({ ...schema.properties, ...modeSettings })
  const given = { PUBLIC_URL: 'http://x', PORT: '-1' }
  expect(() => readConfig(moded, given)).toThrow(/NATS_URL is missing[^]*PUBLIC_URL needs FRONTDESK_MODE=development/)
  expect(() => readConfig(moded, { ...given, FRONTDESK_MODE: 'dev' })).toThrow(
    /FRONTDESK_MODE must be one of: production, development/,
  )
  const sound = { PUBLIC_URL: 'http://x', NATS_URL: 'nats://localhost' }
  expect(() => readConfig(moded, sound)).toThrow(/PUBLIC_URL needs FRONTDESK_MODE=development/)
  expect(readConfig(moded, { ...sound, FRONTDESK_MODE: 'development' })).toMatchObject(sound)
})

test.each(['25', '-5s', '5 s', 'soon', '25sec'])('a duration of %j is refused with an example of one', (text) => {
  const read = () =>
    readConfig(Type.Object({ GRACE: duration('25s'), WAITS: schedule('5s,1m') }), { GRACE: text, WAITS: text })
  expect(read).toThrow(/GRACE must be a duration with its unit, such as 500ms, 25s or 5m/)
  expect(read).toThrow(/WAITS must be durations with their units, such as 5s,5m,30m/)
})
