import { chown, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { rootCertificates } from 'node:tls'
import { openPool } from '@frontdesk/database'
import { startPostgres } from '@frontdesk/dev-stack/servers'
import { eventually } from '../src/eventually.ts'
import pg from 'pg'
import { expect, test } from 'vitest'
import { selfSigned } from '../src/self-signed.ts'
import { throwAwayFolder } from '../src/throw-away-folder.ts'

test('A pool with sslmode=verify-full uses TLS, and leaves a server whose certificate another authority has signed', async () => {
  await using folder = await throwAwayFolder()
  const dataDir = join(folder.path, 'postgres')
  await using postgres = await startPostgres({ dataDir, onSpawn: (pid) => folder.record('postgres', pid) })
  const { uid, gid } = await stat(dataDir)
  for (const [name, content] of [
    ['server.key', selfSigned.key],
    ['server.crt', selfSigned.cert],
  ] as const) {
    await writeFile(join(dataDir, name), content, { mode: 0o600 })
    await chown(join(dataDir, name), uid, gid)
  }
  const administrator = new pg.Client(postgres.url)
  await administrator.connect()
  await administrator.query('alter system set ssl = on')
  await administrator.query('select pg_reload_conf()')
  await administrator.end()

  async function usesTls(authority: string): Promise<unknown> {
    const file = join(folder.path, 'ca.pem')
    await writeFile(file, authority)
    const url = `${postgres.url}?sslmode=verify-full&sslrootcert=${encodeURIComponent(file)}`
    const pool = openPool({ url, name: 'tls', size: 1 })
    try {
      return (await pool.query('select ssl from pg_stat_ssl where pid = pg_backend_pid()')).rows
    } finally {
      await pool.end()
    }
  }
  await eventually(async () => expect(await usesTls(selfSigned.cert)).toEqual([{ ssl: true }]))
  await expect(usesTls(rootCertificates[0] ?? '')).rejects.toThrow(/certificate/)
})
