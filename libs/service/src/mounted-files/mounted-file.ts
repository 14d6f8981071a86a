import { readFile, stat } from 'node:fs/promises'
import { repeat } from '../background/index.ts'
import type { Logger } from 'pino'

/** A configuration file that is read again when it changes. */
export interface MountedFile<Content> extends Disposable {
  /** Returns the last content that could be parsed; another object after each change. */
  current(): Content
}

interface MountedFileDeps<Content> {
  path: string
  /** Returns the content of the file's text. Throws if it is not valid. */
  parse: (text: string) => Content | Promise<Content>
  log: Logger
}

/**
 * Opens a file that operators replace while the service runs, and looks for changes every second. It polls because a mounted
 * secret is a chain of links that is switched at once, which file watches miss. If a new version is not valid, the last
 * content stays, with one log line. Throws if the first version cannot be read or parsed.
 */
export async function openMountedFile<Content>(deps: MountedFileDeps<Content>): Promise<MountedFile<Content>> {
  const { path, parse, log } = deps
  let seen = await versionOf(path)
  let content = await parse(await readFile(path, 'utf8'))
  let reported: string | undefined

  async function look(): Promise<void> {
    // Taken before the content: a file that is written meanwhile is read once more.
    const version = await versionOf(path)
    if (version === seen) return
    content = await parse(await readFile(path, 'utf8'))
    seen = version
    reported = undefined
    log.info({ path }, 'the file was read again')
  }

  function onError(error: unknown): void {
    const message = error instanceof Error ? error.message : String(error)
    if (message !== reported) log.error({ path, reason: message }, 'the file is not valid; keeping its last content')
    reported = message
  }

  const stop = new AbortController()
  repeat({ everyMs: 1_000, signal: stop.signal, onError }, look)
  return { current: () => content, [Symbol.dispose]: () => stop.abort() }
}

async function versionOf(path: string): Promise<string> {
  const { mtimeNs, size, ino } = await stat(path, { bigint: true })
  return `${mtimeNs} ${size} ${ino}`
}
