import { createHash } from 'node:crypto'
import { chmod, copyFile, lutimes, mkdir, readFile, stat, symlink, utimes } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type Contents, foldersOf, sourceOf } from './contents.ts'

/** The time of everything in an image, so that the same input makes the same image: 1 January 2020. */
const TIME = Date.UTC(2020, 0, 1) / 1000

/** What was written. */
export interface Tree {
  /** SHA-256 over every path with its mode and content, in the order of the paths. */
  digest: string
  bytes: number
  files: number
}

/** Writes contents below a folder that does not exist yet. Times and modes do not depend on the checkout. */
export async function writeTree(contents: Contents, out: string): Promise<Tree> {
  await mkdir(out)
  const folders = foldersOf(contents)
  for (const folder of folders) await mkdir(join(out, folder), { mode: 0o755 })
  const lines: string[] = []
  let bytes = 0
  for (const path of [...contents.files].sort()) {
    const target = join(out, path)
    await copyFile(sourceOf(path), target)
    const mode = ((await stat(target)).mode & 0o100) === 0 ? 0o644 : 0o755
    await chmod(target, mode)
    await utimes(target, TIME, TIME)
    const content = await readFile(target)
    bytes += content.length
    lines.push(`${mode.toString(8)} ${createHash('sha256').update(content).digest('hex')} ${path}`)
  }
  for (const [path, to] of [...contents.links].sort(([a], [b]) => (a < b ? -1 : 1))) {
    await mkdir(dirname(join(out, path)), { recursive: true })
    await symlink(to, join(out, path))
    await lutimes(join(out, path), TIME, TIME)
    lines.push(`link ${to} ${path}`)
  }
  // Last, because writing into a folder changes its time.
  for (const folder of ['.', ...folders]) {
    await chmod(join(out, folder), 0o755)
    await utimes(join(out, folder), TIME, TIME)
  }
  const digest = createHash('sha256').update(lines.join('\n')).digest('hex')
  return { digest, bytes, files: contents.files.size }
}
