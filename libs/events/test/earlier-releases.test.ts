import { composeSamples, openReleases, repository } from '@frontdesk/testing/releases'
import { afterAll, expect, test } from 'vitest'
import { readEvent } from '../src/index.ts'

const releases = await openReleases()
afterAll(() => Promise.all(releases.map((release) => release[Symbol.asyncDispose]())))

test.skipIf(releases.length === 0)(
  'the readers of earlier releases take every event of this one that they know',
  async () => {
    const ours = await composeSamples(repository)
    for (const release of releases) {
      const known = new Set(release.events.map((event) => event.type))
      const readings = await release.read(ours.filter((event) => known.has(event.type)))
      expect(readings.length).toBeGreaterThan(20)
      expect(readings.filter((reading) => reading.fault !== undefined)).toEqual([])
    }
  },
)

test.skipIf(releases.length === 0)('our readers take every event of earlier releases', async () => {
  for (const release of releases) {
    for (const event of release.events) {
      const { type, id } = readEvent({ subject: event.subject, data: Buffer.from(event.payload, 'base64') })
      expect({ type, id }).toEqual({ type: event.type, id: event.id })
    }
  }
})
