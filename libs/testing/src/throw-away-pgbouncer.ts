import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { freePort } from '@frontdesk/dev-stack/processes'
import { eventually } from './eventually.ts'
import { throwAwayFolder } from './throw-away-folder.ts'

const program = ['/usr/sbin/pgbouncer', '/usr/local/bin/pgbouncer', '/opt/homebrew/bin/pgbouncer'].find((path) =>
  existsSync(path),
)

/** Why tests with PgBouncer cannot run on this machine; undefined if they can. */
export const noPgBouncer =
  program === undefined ? 'pgbouncer is not installed (Debian: apt-get install pgbouncer)' : undefined

export interface ThrowAwayPgBouncer extends AsyncDisposable {
  /** The address of the database through PgBouncer. */
  url: string
  version: string
}

/** Starts PgBouncer in transaction mode in front of a database, with `backends` connections to it. */
export async function throwAwayPgBouncer(databaseUrl: string, backends: number): Promise<ThrowAwayPgBouncer> {
  if (program === undefined) throw new Error(noPgBouncer)
  const folder = await throwAwayFolder()
  const port = await freePort()
  const target = new URL(databaseUrl)
  const file = `${folder.path}/pgbouncer.ini`
  const database = target.pathname.slice(1)
  const settings = {
    listen_addr: '127.0.0.1',
    listen_port: port,
    unix_socket_dir: '',
    auth_type: 'any',
    pool_mode: 'transaction',
    default_pool_size: backends,
    max_client_conn: 100,
  }
  await writeFile(
    file,
    [
      '[databases]',
      `${database} = host=${target.hostname} port=${target.port} user=${target.username} password=${target.password} dbname=${database}`,
      '[pgbouncer]',
      ...Object.entries(settings).map(([name, value]) => `${name} = ${value}`),
      '',
    ].join('\n'),
  )
  await chmod(file, 0o644)
  // It refuses to run as root.
  const asUser = process.getuid?.() === 0 ? ['-u', 'nobody'] : []
  const child = spawn(program, ['-q', ...asUser, file], { cwd: folder.path, stdio: ['ignore', 'ignore', 'pipe'] })
  let lines = ''
  child.stderr.on('data', (chunk: Buffer) => (lines += chunk.toString()))
  folder.record('pgbouncer', child.pid ?? 0)
  await eventually(async () => {
    if (child.exitCode !== null) throw new Error(`pgbouncer ended:\n${lines}`)
    const socket = connect(port, '127.0.0.1')
    await once(socket, 'connect').finally(() => socket.destroy())
  })
  return {
    url: `postgresql://${target.username}@127.0.0.1:${port}/${database}`,
    version: execFileSync(program, ['--version']).toString().split('\n', 1)[0] ?? '',
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL')
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
      await folder[Symbol.asyncDispose]()
    },
  }
}
