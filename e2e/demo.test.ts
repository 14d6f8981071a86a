import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startSystem, type System } from './system.ts'

let system: System

beforeAll(async () => {
  system = await startSystem()
})
afterAll(() => system?.[Symbol.asyncDispose]())

const demo = (home: string) =>
  promisify(execFile)(process.execPath, ['scripts/demo.ts'], { env: { ...process.env, FRONTDESK_HOME: home } })

test('the demo plays all five ends twice in a row', async () => {
  for (const _ of [1, 2]) {
    const { stdout } = await demo(system.constellation.home)
    expect(stdout).toContain('everything was as it should be')
    expect(stdout.match(/arrived, signed/g)).toHaveLength(5)
  }
})

test('the demo fails, and says why, where nothing runs', async () => {
  await expect(demo('/nonexistent')).rejects.toMatchObject({ code: 1, stdout: expect.stringContaining('npm start') })
})
