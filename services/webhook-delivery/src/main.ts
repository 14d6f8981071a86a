import { run } from '@frontdesk/service'
import { start } from './start.ts'

await run('webhook-delivery', start)
