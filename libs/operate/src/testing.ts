import { pino } from 'pino'
import { operate, type ExitCode, type Program } from './program.ts'

/** Runs one command of a service in this process. Returns its exit code and everything that it printed. */
export async function runCommand<Deps extends AsyncDisposable>(
  program: Program<Deps>,
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Promise<{ code: ExitCode; text: string }> {
  const lines: string[] = []
  const print = (line: string) => void lines.push(line)
  const code = await operate(program, args, { env, log: pino({ level: 'silent' }), print, printError: print })
  return { code, text: lines.join('\n') }
}
