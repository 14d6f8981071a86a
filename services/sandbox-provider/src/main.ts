import { run } from '@frontdesk/service/process'
import { start } from './start.ts'

await run('sandbox-provider', start)
