import { generateKeyPairSync, randomBytes, randomUUID } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { WebhookVerificationError, Webhook } from 'standardwebhooks'
import { openReceiver } from '@frontdesk/testing/receiver'
import type { JWK } from 'jose'
import type { CaseGroup } from '../case.ts'
import { ensure, ensureText } from '../check.ts'
import type { Answer } from '../exchange.ts'
import { clientOf, known, replaceSecrets, withClients } from '../gateway-files.ts'
import { openSite } from '../practice.ts'
import type { TestedSystem } from '../tested-system.ts'

/** Calls all the time while something is replaced. */
interface Load {
  /** Waits until every call that is under way has ended: what they used is used no more. */
  settled(): Promise<void>
}

/** Replaces a secret while `call` goes on, three at a time. Throws if one of its answers is not a success. */
async function underLoad(call: () => Promise<Answer>, replace: (load: Load) => Promise<void>): Promise<void> {
  const underWay = new Set<Promise<void>>()
  let isOver = false
  let failure: Error | undefined
  let succeeded = 0
  async function once(): Promise<void> {
    try {
      const answer = await call()
      ensure(answer.status < 300, answer, 'a request failed during the rotation')
      succeeded++
    } catch (error) {
      failure ??= error as Error
    }
  }
  const loads = Array.from({ length: 3 }, async () => {
    while (!isOver && failure === undefined) {
      const asked = once()
      underWay.add(asked)
      await asked
      underWay.delete(asked)
      await wait(30)
    }
  })
  /** Waits for so many further successes, so that there is load on a slow machine too. */
  const more = async (count: number) => {
    for (const wanted = succeeded + count; succeeded < wanted && failure === undefined;) await wait(10)
  }
  try {
    await more(5)
    await replace({ settled: async () => void (await Promise.all(underWay)) })
    await more(5)
  } finally {
    isOver = true
    await Promise.all(loads)
  }
  if (failure !== undefined) throw failure
}

const list = (system: TestedSystem, token: string) =>
  system.call('listSites', { query: { pageSize: 1 }, as: { token } })

export const rotations: CaseGroup = {
  title: 'rotations under load',
  cases: [
    {
      title: 'The secret of a client is replaced, and no request fails',
      needs: ['files'],
      async run(system) {
        const pms = system.main.practiceManagementSoftware
        const client = clientOf({ practiceManagementSoftware: pms })
        await withClients(system, [client], async () => {
          const old = client.entry
          const fresh = { ...old, secret: randomBytes(32).toString('base64url') }
          let used = old
          const call = async () => list(system, await system.newToken(used))
          await underLoad(call, async ({ settled }) => {
            await replaceSecrets(system, client, [old.secret, fresh.secret])
            await known(system, fresh)
            used = fresh
            await settled()
            await replaceSecrets(system, client, [fresh.secret])
            await known(system, old, false)
          })
        })
      },
    },
    {
      title: 'The keys that sign access tokens are replaced, and no request fails',
      needs: ['files'],
      async run(system) {
        const file = join(system.control?.keysFolder ?? '', 'token-keys.json')
        const text = await readFile(file, 'utf8')
        const { keys } = JSON.parse(text) as { keys: JWK[] }
        const pair = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' })
        const fresh = { ...pair, kid: `access:${randomUUID()}`, alg: 'EdDSA', use: 'sig' }
        const publish = async (wanted: JWK[]) => {
          await writeFile(file, JSON.stringify({ keys: wanted }))
          for (let tries = 0; ; tries++) {
            const { body } = await system.ask({ method: 'GET', path: '/.well-known/jwks.json' })
            const published = (body as { keys: JWK[] }).keys
            if (published.map(({ kid }) => kid).join() === wanted.map(({ kid }) => kid).join()) return
            if (tries > 100) throw new Error('the published keys are not those of the file')
            await wait(100)
          }
        }
        let token = await system.newToken(system.busy)
        try {
          await underLoad(
            () => list(system, token),
            async ({ settled }) => {
              await publish([fresh, ...keys])
              token = await system.newToken(system.busy)
              await settled()
              await publish([fresh])
              await publish([...keys, fresh])
              token = await system.newToken(system.busy)
              await settled()
            },
          )
        } finally {
          await writeFile(file, text)
          await publish(keys)
        }
      },
    },
    {
      title: 'Both keys of a site are replaced, one after the other, and no request fails',
      async run(system) {
        const { SiteSlug, keys } = await openSite(system)
        const params = { SiteIdentifier: SiteSlug }
        const rotated = async (kind: 'Primary' | 'Secondary') =>
          (await system.success('rotateSiteKey', { params: { ...params, Key: kind } })) as Record<string, string>
        let siteKey = keys.PrimaryKey
        const call = () => system.call('listAccounts', { params: { SiteSlug }, as: { siteKey } })
        await underLoad(call, async ({ settled }) => {
          const second = await rotated('Secondary')
          siteKey = String(second['SecondaryKey'])
          await settled()
          const first = await rotated('Primary')
          ensureText(first['PrimaryKey'] !== keys.PrimaryKey, 'the key is the same')
          siteKey = String(first['PrimaryKey'])
        })
      },
    },
    {
      title:
        'The secret that signs deliveries is replaced, and every delivery verifies with the one that its receiver has',
      needs: ['receiver'],
      async run(system) {
        await using receiver = await openReceiver()
        const params = { SiteSlug: (await openSite(system)).SiteSlug }
        const body = { EventTypes: ['payment.*'], Url: receiver.url }
        const created = await system.success('subscribe', { params, body }, 201)
        let secret = String(created['SigningSecret'])
        const wrong: string[] = []
        receiver.reply(({ body: text, headers }) => {
          try {
            new Webhook(secret).verify(text, headers as Record<string, string>)
          } catch (error) {
            if (error instanceof WebhookVerificationError) wrong.push(error.message)
          }
          return { status: 204 }
        })
        await underLoad(
          () => system.call('sendTestEvent', { params }),
          async () => {
            const next = await system.success('rotateSigningSecret', { params })
            // For a while the receiver still has the old secret, as until its next deployment.
            const before = receiver.requests.length
            while (receiver.requests.length < before + 10) await wait(20)
            secret = String(next['SigningSecret'])
            while (receiver.requests.length < before + 20) await wait(20)
          },
        )
        ensureText(wrong.length === 0, `${wrong.length} deliveries did not verify: ${wrong[0]}`)
        await system.success('unsubscribe', { params })
      },
    },
  ],
}
