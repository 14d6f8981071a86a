import { afterEach } from 'vitest'

// Loaded by vitest before each file of tests (setupFiles), so the module's state is one file's.
let failed = false

/** Whether any test of the running file has failed so far. */
export function hasFailedTest(): boolean {
  return failed
}

/** Called by the setup file: watches the tests of the running file. */
export function watchForFailedTests(): void {
  afterEach(({ task }) => {
    failed ||= task.result?.state === 'fail'
  })
}
