import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startNats } from '@frontdesk/dev-stack/servers'
import { throwAwayFolder } from '@frontdesk/testing'
import { nkeys } from '@nats-io/transport-node'
import { expect, test } from 'vitest'
import { connectNats } from '../src/index.ts'

type KeyPair = ReturnType<typeof nkeys.createUser>

const part = (value: object | Uint8Array): string =>
  Buffer.from(value instanceof Uint8Array ? value : JSON.stringify(value)).toString('base64url')

/** Returns a JWT of NATS, as its tool `nsc` makes them. */
function jwt(issuer: KeyPair, subject: KeyPair, nats: object): string {
  const [iss, sub] = [issuer.getPublicKey(), subject.getPublicKey()]
  const claims = { jti: sub, iat: Math.floor(Date.now() / 1000), iss, sub, name: 'test', nats: { version: 2, ...nats } }
  const signed = `${part({ typ: 'JWT', alg: 'ed25519-nkey' })}.${part(claims)}`
  return `${signed}.${part(issuer.sign(Buffer.from(signed)))}`
}

test('a service logs in with a credentials file to a server whose accounts are JWTs', async () => {
  const operator = nkeys.createOperator()
  const [system, account, user] = [nkeys.createAccount(), nkeys.createAccount(), nkeys.createUser()]
  const limits = { subs: -1, data: -1, payload: -1, imports: -1, exports: -1, wildcards: true, conn: -1, leaf: -1 }
  const preload = [system, account].map(
    (each) => `  ${each.getPublicKey()}: ${jwt(operator, each, { type: 'account', limits })}`,
  )
  const users = [
    `operator: ${jwt(operator, operator, { type: 'operator' })}`,
    `system_account: ${system.getPublicKey()}`,
    'resolver: MEMORY',
    `resolver_preload: {\n${preload.join('\n')}\n}`,
  ].join('\n')
  await using folder = await throwAwayFolder()
  await using server = await startNats({ storeDir: join(folder.path, 'nats'), users })
  const token = jwt(account, user, { type: 'user', subs: -1, data: -1, payload: -1, pub: {}, sub: { deny: ['evt.>'] } })
  const seed = Buffer.from(user.getSeed()).toString('utf8')
  const file = join(folder.path, 'payments.creds')
  writeFileSync(
    file,
    `-----BEGIN NATS USER JWT-----\n${token}\n------END NATS USER JWT------\n\n` +
      `-----BEGIN USER NKEY SEED-----\n${seed}\n------END USER NKEY SEED------\n`,
  )

  await using connection = await connectNats({ NATS_URL: server.url, NATS_CREDENTIALS_FILE: file })
  await connection.flush()
  // The rights in the token hold.
  const subscription = connection.subscribe('evt.>')
  await expect(subscription[Symbol.asyncIterator]().next()).rejects.toThrow('Permissions Violation for Subscription')
  const other = { NATS_URL: server.url, NATS_CREDENTIALS_FILE: join(folder.path, 'other.nk') }
  writeFileSync(other.NATS_CREDENTIALS_FILE, Buffer.from(nkeys.createUser().getSeed()).toString('utf8'))
  await expect(connectNats(other, { reconnect: false })).rejects.toThrow('Authorization Violation')
})
