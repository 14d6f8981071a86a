import { runProgram } from '@frontdesk/operate'
import { program } from './commands.ts'

await runProgram(program)
