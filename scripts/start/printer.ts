import { createWriteStream, mkdirSync, type WriteStream } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { formatLine } from './format-line.ts'

/** What a reader who does not keep up may leave unread, in bytes. */
const MAX_UNREAD = 8 * 1024 * 1024

/** Prints one readable log on standard output, and keeps what each part said as it said it. */
export interface Printer {
  /** A line of a part. */
  line(part: string, line: string, stream: 'stdout' | 'stderr'): void
  /** A line of our own; `stderr` marks it as a failure. */
  say(message: string, stream?: 'stdout' | 'stderr'): void
  /** Text as it stands. */
  print(text: string): void
  close(): Promise<void>
}

/**
 * Opens the printer.
 *
 * @param options.logs folder for the parts' own words; each file starts anew with this run
 */
export function createPrinter({ logs }: { logs: string }): Printer {
  const colour = process.stdout.isTTY === true && process.env['NO_COLOR'] === undefined
  const files = new Map<string, WriteStream>()
  let dropped = 0
  // Whoever read our output may be gone; the services are not to go with them.
  process.stdout.on('error', () => {})

  function print(text: string): void {
    // A pipe that nobody reads must not fill the memory.
    if (process.stdout.writableLength > MAX_UNREAD) return void (dropped += 1)
    if (dropped > 0) process.stdout.write(`... ${dropped} lines were dropped, as nobody read them\n`)
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
    const formatted = formatLine(part, text, { stream, colour, now: new Date() })
    if (formatted !== undefined) print(formatted)
  }

  return {
    print,
    // Not into a file: the folder may be that of a constellation which runs already.
    say: (message, stream = 'stdout') => show('frontdesk', message, stream),
    line(part, text, stream) {
      fileOf(part).write(`${text}\n`)
      show(part, text, stream)
    },
    async close() {
      await Promise.all([...files.values()].map((file) => new Promise((resolve) => file.end(resolve))))
    },
  }
}
