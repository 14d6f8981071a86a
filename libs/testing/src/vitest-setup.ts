import { watchForFailedTests } from './failed-tests.ts'

watchForFailedTests()
