import { Type } from 'typebox'
import { expect, test } from 'vitest'
import { ConfigError, readConfig } from './config.ts'

const schema = Type.Object({
  PORT: Type.Integer({ minimum: 0, default: 0 }),
  NATS_URL: Type.String(),
  PUBLIC_URL: Type.String(),
  VERBOSE: Type.Optional(Type.Boolean()),
})

test('the environment is coerced, defaulted and frozen, and other variables are left out', () => {
  const config = readConfig(schema, { NATS_URL: 'nats://x', PUBLIC_URL: 'http://x', VERBOSE: 'true', HOME: '/root' })
  expect(config).toEqual({ PORT: 0, NATS_URL: 'nats://x', PUBLIC_URL: 'http://x', VERBOSE: true })
  expect(Object.isFrozen(config)).toBe(true)
})

test('every fault is reported at once, and an empty variable counts as missing', () => {
  const read = () => readConfig(schema, { PORT: 'ninety', NATS_URL: '' })
  expect(read).toThrow(ConfigError)
  expect(read).toThrow(/PORT[\s\S]*NATS_URL is missing|NATS_URL is missing[\s\S]*PORT/)
})
