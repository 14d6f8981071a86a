import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, statfs, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import process from 'node:process'
import { promisify } from 'node:util'
import type { Play, Scenario } from '../scenario.ts'

const run = promisify(execFile)

/** Mounts a small disk at a folder. Returns how to unmount it. */
async function mount(folder: string, megabytes: number): Promise<() => Promise<void>> {
  await mkdir(folder, { recursive: true })
  await run('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=755`, 'tmpfs', folder])
  return async () => void (await run('umount', ['-l', folder]))
}

/** Returns why small disks cannot be mounted here; undefined if they can. */
async function mountsNothing(): Promise<string | undefined> {
  if (process.getuid?.() !== 0) return 'a small disk (tmpfs) can be mounted by root only'
  const folder = await mkdtemp('/var/tmp/frontdesk-mount-')
  try {
    const unmount = await mount(folder, 1)
    await unmount()
    return undefined
  } catch (error) {
    return `a small disk (tmpfs) cannot be mounted: ${error instanceof Error ? error.message.trim() : String(error)}`
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Fills a disk, and keeps it full while `during` lasts. */
async function fill(folder: string, { inject }: Play, during: () => Promise<void>): Promise<void> {
  const ballast = join(folder, 'ballast')
  const { bavail, bsize } = await statfs(folder)
  // More than fits: what is written before the error stays.
  await writeFile(ballast, Buffer.alloc(bavail * bsize + bsize)).catch(() => {})
  inject(`the disk is full (${Math.round((bavail * bsize) / 1024 / 1024)} MB were free)`)
  await during()
  await rm(ballast)
  inject('the disk has room again')
}

export const natsDiskFull: Scenario = {
  name: 'nats-disk-full',
  title: 'The disk of NATS is full for 30 s (short: 6 s)',
  own: { prepareHome: (home) => mount(join(home, 'nats'), 64) },
  skip: mountsNothing,
  async play(play) {
    const { environment, during, recovered } = play
    await during(2, 5)
    await fill(environment.system.devStack.dev.nats.storeDir ?? '', play, () => during(6, 30))
    recovered()
    await during(3, 10)
  },
}

export const postgresDiskFull: Scenario = {
  name: 'postgres-disk-full',
  title: 'The disk of Postgres is full for 30 s (short: 6 s)',
  own: {
    async prepareHome(home) {
      // Postgres makes its data folder beside the final one, so the whole state is on the small disk, except for NATS.
      const unmount = await mount(home, 320)
      await mkdir(`${home}-nats`)
      await symlink(`${home}-nats`, join(home, 'nats'))
      return unmount
    },
  },
  skip: mountsNothing,
  async play(play) {
    const { environment, during, recovered } = play
    await during(2, 5)
    await fill(environment.system.devStack.home, play, () => during(6, 30))
    recovered()
    await during(5, 10)
  },
}
