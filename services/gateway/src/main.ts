import { run } from '@frontdesk/service/process'
import { start } from './start.ts'

await run('gateway', start)
