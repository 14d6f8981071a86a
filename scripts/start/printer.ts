import { createWriteStream, mkdirSync, type WriteStream } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { formatLine, WARNING } from './format-line.ts'

/** Bytes that wait for a slow reader at most; further lines are dropped. */
const MAX_UNREAD = 8 * 1024 * 1024

/** Prints one readable log on standard output, and writes each part's own lines to a file. */
export interface Printer {
  /** Prints a line of a part if it is a warning or worse, or if the printer is verbose; its file gets every line. */
  line(part: string, line: string, stream: 'stdout' | 'stderr'): void
  /** Prints a line about the dev stack itself; `stderr` marks it as an error. */
  say(message: string, stream?: 'stdout' | 'stderr'): void
  /** Prints unchanged text. */
  print(text: string): void
  close(): Promise<void>
}

/** The dev stack's own lines: they are few, and always shown. */
const OWN = 'frontdesk'

/**
 * Creates the printer.
 *
 * @param options.logs folder for the parts' log files, which this run overwrites
 * @param options.verbose whether to print every line of the parts
 */
export function createPrinter({ logs, verbose }: { logs: string; verbose: boolean }): Printer {
  const colour = process.stdout.isTTY === true && process.env['NO_COLOR'] === undefined
  const files = new Map<string, WriteStream>()
  let dropped = 0
  // The services must go on when the reader of the output ends.
  process.stdout.on('error', () => {})

  function print(text: string): void {
    if (process.stdout.writableLength > MAX_UNREAD) return void (dropped += 1)
    if (dropped > 0) process.stdout.write(`... dropped ${dropped} lines that nobody read\n`)
    dropped = 0
    process.stdout.write(`${text}\n`)
  }

  function fileOf(part: string): WriteStream {
    let file = files.get(part)
    if (!file) {
      mkdirSync(logs, { recursive: true })
      file = createWriteStream(join(logs, `${part}.log`))
      files.set(part, file)
    }
    return file
  }

  function show(part: string, text: string, stream: 'stdout' | 'stderr'): void {
    const least = verbose || part === OWN ? 0 : WARNING
    const formatted = formatLine(part, text, { stream, colour, now: new Date(), least })
    if (formatted !== undefined) print(formatted)
  }

  return {
    print,
    // Not into a file: another dev stack may be using the folder.
    say: (message, stream = 'stdout') => show(OWN, message, stream),
    line(part, text, stream) {
      fileOf(part).write(`${text}\n`)
      show(part, text, stream)
    },
    async close() {
      await Promise.all([...files.values()].map((file) => new Promise((resolve) => file.end(resolve))))
    },
  }
}
