import { Type } from 'typebox'
import { expect, test } from 'vitest'
import { ConfigError, readConfig } from './config.ts'

const schema = Type.Object({
  PORT: Type.Integer({ minimum: 0, default: 0 }),
  NATS_URL: Type.String(),
  PUBLIC_URL: Type.String(),
  VERBOSE: Type.Optional(Type.Boolean()),
})

test('a configuration has coerced values and defaults, is frozen, and holds no other variables', () => {
  const config = readConfig(schema, { NATS_URL: 'nats://x', PUBLIC_URL: 'http://x', VERBOSE: 'true', HOME: '/root' })
  expect(config).toEqual({ PORT: 0, NATS_URL: 'nats://x', PUBLIC_URL: 'http://x', VERBOSE: true })
  expect(Object.isFrozen(config)).toBe(true)
})

test('one error names every fault, and an empty variable counts as missing', () => {
  const read = () => readConfig(schema, { PORT: 'ninety', NATS_URL: '' })
  expect(read).toThrow(ConfigError)
  expect(read).toThrow(/PORT[\s\S]*NATS_URL is missing|NATS_URL is missing[\s\S]*PORT/)
})
