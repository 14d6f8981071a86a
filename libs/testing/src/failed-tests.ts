import { afterEach } from 'vitest'

// Vitest loads this module anew for each test file (setupFiles), so its state belongs to one file.
let failed = false

/** Whether any test of the running file has failed so far. */
export function hasFailedTest(): boolean {
  return failed
}

/** Watches the tests of the running file. */
export function watchForFailedTests(): void {
  afterEach(({ task }) => {
    failed ||= task.result?.state === 'fail'
  })
}
