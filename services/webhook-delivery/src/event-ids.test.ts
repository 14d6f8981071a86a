import { v7 as uuidv7 } from 'uuid'
import { expect, test } from 'vitest'
import { lowestIdAt, timeOfId } from './event-ids.ts'

test('the time of an id can be read from it', () => {
  const msecs = Date.parse('2026-11-21T12:00:00.123Z')
  expect(timeOfId(uuidv7({ msecs }))).toBe(msecs)
  expect(timeOfId(lowestIdAt(msecs))).toBe(msecs)
})
