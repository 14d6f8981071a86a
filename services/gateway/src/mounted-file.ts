import { readFile, stat } from 'node:fs/promises'
import type { Logger } from 'pino'

/** A configuration file whose content follows the file. */
export interface MountedFile<Content> extends Disposable {
  /** The last content that parsed; another object after each change. */
  current(): Content
}

interface MountedFileOptions<Content> {
  path: string
  /** Makes the content of the file's text; throws where it is not what it should be. */
  parse: (text: string) => Content | Promise<Content>
  log: Logger
  /** Milliseconds between two looks at the file. Default: 1 s. */
  every?: number
}

/**
 * Opens a file that operators replace while we run. Looked at by polling: a mounted secret is a chain of links that is
 * switched at once, which file watches miss. A file that does not parse changes nothing, and is reported once.
 * Throws where the file cannot be read or parsed at the start.
 */
export async function openMountedFile<Content>(options: MountedFileOptions<Content>): Promise<MountedFile<Content>> {
  const { path, parse, log, every = 1_000 } = options
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
    log.info({ path }, 'read the file again')
  }

  let looking = false
  const timer = setInterval(() => {
    if (looking) return
    looking = true
    look()
      .catch((error: unknown) => {
        const message = error instanceof Error ? error.message : String(error)
        if (message !== reported)
          log.error({ path, reason: message }, 'the file is not usable; keeping its last content')
        reported = message
      })
      .finally(() => (looking = false))
  }, every)
  timer.unref()
  return { current: () => content, [Symbol.dispose]: () => clearInterval(timer) }
}

async function versionOf(path: string): Promise<string> {
  const { mtimeNs, size, ino } = await stat(path, { bigint: true })
  return `${mtimeNs} ${size} ${ino}`
}
