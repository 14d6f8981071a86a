import { connectNats } from '@frontdesk/events'
import { jetstream, jetstreamManager } from '@nats-io/jetstream'
import { chmod, readlink, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import pg from 'pg'
import { expect, test } from 'vitest'
import { startPostgres } from '@frontdesk/dev-stack/servers'
import { throwAwayNats } from '../src/throw-away-nats.ts'
import { throwAwayFolder } from '../src/throw-away-folder.ts'

async function query(url: string, sql: string): Promise<unknown> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

test('Postgres keeps its rows when it is killed and started again in the same folder', async () => {
  await using folder = await throwAwayFolder()
  const dataDir = `${folder.path}/postgres`
  const first = await startPostgres({ dataDir })
  await query(first.url, 'create table kept (id int); insert into kept values (1)')
  first.kill('SIGKILL')
  await first.exited

  await using second = await startPostgres({ dataDir, port: first.port })
  expect(await query(second.url, 'select id from kept')).toEqual([{ id: 1 }])
})

test('Postgres keeps its data in another folder if its user cannot enter the given one', async ({ skip }) => {
  skip(process.getuid?.() !== 0, 'only root runs Postgres as another user')
  await using folder = await throwAwayFolder()
  await chmod(folder.path, 0o700)
  const dataDir = `${folder.path}/postgres`
  const postgres = await startPostgres({ dataDir })
  expect(await query(postgres.url, 'select 1 as one')).toEqual([{ one: 1 }])
  const elsewhere = await readlink(dataDir)
  expect(elsewhere).toContain('/frontdesk-data-')
  await postgres.stop()
  await rm(dirname(elsewhere), { recursive: true })
})

test('The error of a server that does not start has its last lines', async () => {
  await using folder = await throwAwayFolder()
  await using first = await startPostgres({ dataDir: `${folder.path}/first` })
  await expect(startPostgres({ dataDir: `${folder.path}/second`, port: first.port })).rejects.toThrow(
    /Address already in use/,
  )
})

test('A restarted nats-server has the same address and messages', async () => {
  await using nats = await throwAwayNats()
  const before = await connectNats(nats.settings())
  await (await jetstreamManager(before)).streams.add({ name: 'KEPT', subjects: ['kept'] })
  await jetstream(before).publish('kept', 'message')
  await before.close()
  await nats.stop('SIGKILL')
  await expect(connectNats(nats.settings(), { timeout: 500, reconnect: false })).rejects.toThrow()

  await nats.start()
  const after = await connectNats(nats.settings())
  expect((await (await jetstreamManager(after)).streams.info('KEPT')).state.messages).toBe(1)
  await after.close()
})
