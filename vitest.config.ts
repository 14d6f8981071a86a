import { resolve } from 'node:path'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

// Services that tests start as processes load compiled modules from this folder, and start with less CPU time.
process.env['NODE_COMPILE_CACHE'] ??= resolve(import.meta.dirname, 'node_modules/.cache/frontdesk/compiled')

const needsServers = {
  globalSetup: ['./libs/testing/src/global-setup.ts'],
  setupFiles: ['./libs/testing/src/vitest-setup.ts'],
}

/** The files that take longest. Started first, they leave no worker alone at the end. */
const longest = [
  'conformance.test.ts',
  'soak.test.ts',
  'dev-stack.test.ts',
  'taking-over.test.ts',
  'browser.test.ts',
  'outages.test.ts',
  'crashing.test.ts',
  'retrying.test.ts',
  // The first time it is compiled.
  'stripe-mock.test.ts',
]

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number => {
      const place = longest.findIndex((name) => moduleId.endsWith(`/${name}`))
      return place === -1 ? longest.length : place
    }
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b))
  }
}

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    // A file of integration tests keeps a Postgres backend or two busy besides itself.
    maxWorkers: 2,
    projects: [
      {
        test: {
          name: 'unit',
          // Pure functions leave nothing behind: their files share a worker, and import what they share once.
          isolate: false,
          // Properties over generated cases take seconds on a machine that does other things too.
          testTimeout: 20_000,
          include: ['libs/*/src/**/*.test.ts', 'services/*/src/**/*.test.ts', 'scripts/**/*.test.ts'],
        },
      },
      {
        test: {
          name: 'integration',
          include: ['libs/*/test/**/*.test.ts', 'services/*/test/**/*.test.ts'],
          testTimeout: 30_000,
          hookTimeout: 60_000,
          ...needsServers,
        },
      },
      {
        test: {
          name: 'e2e',
          globalSetup: ['./libs/testing/src/e2e-setup.ts'],
          include: ['e2e/**/*.test.ts'],
          exclude: ['e2e/chaos.test.ts'],
          testTimeout: 120_000,
          hookTimeout: 180_000,
          // Each file starts every service and then mostly waits: three files at a time keep two cores busy.
          maxWorkers: 3,
          sequence: { groupOrder: 1 },
          // While one file starts its services the gateway of the other would shed load on a busy machine.
          env: { MAX_EVENT_LOOP_DELAY: '60s' },
        },
      },
      {
        test: {
          // Faults and their repair are timed: nothing else runs beside them.
          name: 'chaos',
          globalSetup: ['./libs/testing/src/e2e-setup.ts'],
          include: ['e2e/chaos.test.ts'],
          testTimeout: 180_000,
          hookTimeout: 180_000,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
})
