import process from 'node:process'
import { parseArgs } from 'node:util'
import { ConfigError } from '@frontdesk/service/process'
import { destination, pino, type Logger } from 'pino'
import { createProgress, type Progress } from './progress.ts'
import { parseTime } from './time.ts'

/** A command for a person who operates a service. Run again, it changes nothing more. */
export interface Command<Deps> {
  /** The words that call it: `outbox replay`. */
  name: string
  /** Its arguments, as the usage shows them. */
  usage: string
  /** Its purpose, in one sentence. */
  does: string
  /** Its options besides `--dry-run`. */
  options?: Readonly<Record<string, 'string' | 'boolean'>>
  /** How many arguments it takes at most. Default 0. */
  most?: number
  /** Returns whether all was done; false if something is left for a person. Throws UsageError. */
  run(deps: Deps, call: Call): Promise<boolean>
}

/** One call of a command. */
export interface Call {
  args: readonly string[]
  dryRun: boolean
  /** Prints a line. */
  say(line: string): void
  /** Prints counts while the work goes on, at most once a second. */
  progress: Progress
  option(name: string): string | undefined
  flag(name: string): boolean
  /** Reads an option as a time: ISO 8601, or how long ago (`5m`, `2h`, `3d`). Throws UsageError. */
  time(name: string): Date | undefined
}

/** The arguments of a command are wrong. The message says how. */
export class UsageError extends Error {
  override name = 'UsageError'
}

/** The commands of one service. They read the same configuration as the service. */
export interface Program<Deps extends AsyncDisposable> {
  service: string
  commands: readonly Command<Deps>[]
  /** Opens what the commands need. Throws ConfigError. */
  open(env: Record<string, string | undefined>, log: Logger): Promise<Deps>
}

/** 0: done. 1: something is left, or the command failed. 2: wrong usage. */
export type ExitCode = 0 | 1 | 2

export interface Surroundings {
  env: Record<string, string | undefined>
  log: Logger
  print(line: string): void
  printError(line: string): void
}

/** Runs a service's commands as a process: the arguments are the command, the exit code is the verdict. */
export async function runProgram<Deps extends AsyncDisposable>(program: Program<Deps>): Promise<void> {
  const level = process.env['LOG_LEVEL'] ?? 'warn'
  process.exitCode = await operate(program, process.argv.slice(2), {
    env: process.env,
    // Logs go to stderr: stdout has the command's own lines.
    log: pino({ name: program.service, level }, destination({ dest: 2, sync: true })),
    print: (line) => void process.stdout.write(`${line}\n`),
    printError: (line) => void process.stderr.write(`${line}\n`),
  })
}

/** Finds and runs one command. Never throws: an error is printed, and the exit code tells. */
export async function operate<Deps extends AsyncDisposable>(
  program: Program<Deps>,
  args: readonly string[],
  { env, log, print, printError }: Surroundings,
): Promise<ExitCode> {
  if (args.length === 0 || args[0] === '--help' || args[0] === 'help') {
    print(usageOf(program))
    return args.length === 0 ? 2 : 0
  }
  try {
    const { command, call } = readCall(program, args, print)
    await using deps = await program.open(env, log)
    const done = await command.run(deps, call)
    return done ? 0 : 1
  } catch (error) {
    if (error instanceof UsageError) {
      printError(`${error.message}\n\n${usageOf(program)}`)
      return 2
    }
    if (error instanceof ConfigError) printError(error.message)
    else printError(`failed: ${error instanceof Error ? error.message : String(error)}`)
    log.debug({ err: error }, 'the command failed')
    return 1
  }
}

function readCall<Deps extends AsyncDisposable>(
  { commands, service }: Program<Deps>,
  args: readonly string[],
  print: (line: string) => void,
): { command: Command<Deps>; call: Call } {
  const command = commands.find(({ name }) => name === args.slice(0, name.split(' ').length).join(' '))
  if (command === undefined) throw new UsageError(`${service} has no command "${args.slice(0, 2).join(' ')}".`)
  const { options = {}, most = 0 } = command
  const declared = Object.entries(options).map(([name, type]) => [name, { type }] as const)
  const { values, positionals } = parsed(args.slice(command.name.split(' ').length), {
    ...Object.fromEntries(declared),
    'dry-run': { type: 'boolean' },
  })
  if (positionals.length > most) throw new UsageError(`${command.name} takes no "${positionals[most]}".`)
  const option = (name: string) => (typeof values[name] === 'string' ? values[name] : undefined)
  const dryRun = values['dry-run'] === true
  const call: Call = {
    args: positionals,
    dryRun,
    say: (line) => print(dryRun ? `dry run: ${line}` : line),
    progress: createProgress(print),
    option,
    flag: (name) => values[name] === true,
    time(name) {
      const text = option(name)
      if (text === undefined) return undefined
      const time = parseTime(text, new Date())
      if (time === undefined) throw new UsageError(`--${name} "${text}" is neither a time nor a duration.`)
      return time
    },
  }
  return { command, call }
}

function parsed(args: string[], options: Record<string, { type: 'string' | 'boolean' }>) {
  try {
    return parseArgs({ args, options, allowPositionals: true, strict: true })
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}

function usageOf<Deps extends AsyncDisposable>({ service, commands }: Program<Deps>): string {
  const lines = commands.map(({ name, usage, does }) => `  ${`${name} ${usage}`.trimEnd()}\n      ${does}`)
  return [
    `Commands of ${service}:`,
    ...lines,
    '',
    'TIME is ISO 8601 (2026-11-22T10:00:00Z), or how long ago: 5m, 2h, 3d. Every command takes --dry-run, which changes nothing.',
    'Exit code: 0 done, 1 something is left, 2 wrong usage.',
  ].join('\n')
}
