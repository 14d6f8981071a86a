// Prints the result of a test run in two lines, from the file of vitest's JSON reporter. Machines read the last line.
import { existsSync, readFileSync } from 'node:fs'
import process from 'node:process'

/** Members of the reporter's file that this script reads. */
interface TestRun {
  numPassedTests: number
  numFailedTests: number
  numPendingTests: number
  testResults: { name: string; status: string; message: string; assertionResults: unknown[] }[]
}

const [file = ''] = process.argv.slice(2)
if (existsSync(file)) {
  const run = JSON.parse(readFileSync(file, 'utf8')) as TestRun
  // A test file that could not be loaded has no tests, but counts as a failure.
  const broken = run.testResults.filter((result) => result.status === 'failed' && result.assertionResults.length === 0)
  for (const { name, message } of broken) console.log(`could not run ${name}: ${message}`)
  const failed = run.numFailedTests + broken.length
  console.log(`${run.testResults.length} files of tests, ${run.numPendingTests} tests skipped`)
  console.log(`${run.numPassedTests} passed, ${failed} failed`)
  if (failed > 0) process.exitCode = 1
} else {
  console.log('the tests did not run because a check before them failed')
  console.log('0 passed, 1 failed')
  process.exitCode = 1
}
