import { expect, test, vi } from 'vitest'
import { spawnServer, whenReady } from '../src/processes/index.ts'
import { supervise } from '../src/processes/supervise.ts'

/** Supervises a script; by default one that is ready at once and runs until it is stopped. */
function supervised(script = 'console.log("up"); setInterval(() => {}, 1000)') {
  const pids: number[] = []
  const said: string[] = []
  const part = supervise(
    'part',
    async (signal) => {
      let up = false
      const server = spawnServer({
        name: 'part',
        command: process.execPath,
        args: ['-e', script],
        onSpawn: (pid) => pids.push(pid),
        onLine: () => (up = true),
      })
      await whenReady('part', server, () => up, { signal })
      return server
    },
    (message) => said.push(message),
  )
  return { part, pids, said }
}

function isAlive(pid: number | undefined): boolean {
  try {
    return pid !== undefined && process.kill(pid, 0)
  } catch {
    return false
  }
}

test('A killed process is started again within a second', async () => {
  const { part, pids, said } = supervised()
  await part.start()
  part.kill('SIGKILL')
  await vi.waitFor(() => expect(pids).toHaveLength(2), { timeout: 1_000, interval: 20 })
  await vi.waitFor(() => expect(isAlive(pids[1])).toBe(true))
  expect(said).toEqual(['part ended (signal SIGKILL), starting it again'])
  await part.stop()
  expect(pids.map(isAlive)).toEqual([false, false])
})

test('The pauses before restarts of a process that keeps ending grow, and each is printed', async () => {
  const { part, said } = supervised('console.log("up"); setTimeout(() => process.exit(3), 100)')
  await part.start()
  await vi.waitFor(() => expect(said).toHaveLength(3), { timeout: 10_000 })
  expect(said[1]).toContain('part keeps ending (exit code 3), next start in 0.2 s')
  expect(said[2]).toContain('next start in 0.5 s')
  await part.stop()
})

test('The error of a process that does not start names its exit code', async () => {
  const { part } = supervised('process.exit(4)')
  await expect(part.start()).rejects.toThrow('part did not start (exit code 4)')
  await part.stop()
})

test('A stop ends a process that is still starting', async () => {
  const { part, pids } = supervised('setInterval(() => {}, 1000)')
  const start = part.start().catch((error: Error) => error.message)
  await vi.waitFor(() => expect(pids).toHaveLength(1))
  await part.stop()
  expect(await start).toContain('told to stop')
  expect(isAlive(pids[0])).toBe(false)
})

test('A stopped part can be started again', async () => {
  const { part, pids } = supervised()
  await part.start()
  await part.stop()
  await part.start()
  expect(pids).toHaveLength(2)
  expect(pids.map(isAlive)).toEqual([false, true])
  await part.stop()
})
