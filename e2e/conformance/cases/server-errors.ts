import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { operations, services, type OperationId, type ServiceName } from '@frontdesk/contracts'
import type { Case, CaseGroup } from '../case.ts'
import { deepStrictEqual as same } from 'node:assert/strict'
import { columnsOf, operationIds, type Cell } from '../cells.ts'
import { ensure, isProblem, isSuccess, wellFormedProblem } from '../check.ts'
import { openOnboardedSite, openSite, paymentBody, provider, sharedSite } from '../practice.ts'
import { specimenOf } from '../specimens.ts'
import type { Call, TestedSystem } from '../tested-system.ts'

const ofService = (service: ServiceName) =>
  operationIds.filter((id) => operations[id].service === service && columnsOf(id).includes('Server Error'))

/** Waits until a service answers again. */
async function back(system: TestedSystem, id: OperationId, slug: string): Promise<void> {
  for (let tries = 0; ; tries++) {
    const { status } = await system.call(id, specimenOf(id, slug))
    if (status < 500) return
    if (tries > 200) throw new Error(`${operations[id].service} is not back`)
    await wait(100)
  }
}

const killed = services
  .filter((service) => service !== 'gateway')
  .map((service): Case => ({
    title: `While ${service} is down, each of its operations is a 5xx problem without the cause, and works again afterwards`,
    shows: ofService(service).map((id): Cell => `${id} Server Error`),
    needs: ['processes'],
    timeoutMs: 60_000,
    async run(system) {
      const { SiteSlug } = await sharedSite(system)
      let left = ofService(service)
      // From here on the gateway knows the site, even while registry is down.
      await system.call('listAccounts', { params: { SiteSlug } })
      for (let round = 0; left.length > 0 && round < 5; round++) {
        system.control?.kill(service)
        for (let tries = 0; left.length > 0 && tries < 3; tries++) {
          const answers = left.map(
            async (id) => [id, await system.call(id, { ...specimenOf(id, SiteSlug), ...malformed(id) })] as const,
          )
          for (const [id, answer] of await Promise.all(answers)) {
            if (answer.status < 500) continue
            const { code } = wellFormedProblem(answer)
            ensure(answer.status === 503, answer, `expected 503, not ${String(code)}`)
            left = left.filter((one) => one !== id)
          }
          await wait(20)
        }
        const [first] = ofService(service)
        if (first !== undefined) await back(system, first, SiteSlug)
      }
      same(left, [], 'always answered')
    },
  }))

/** Returns changes that keep an accepted request from having an effect. */
function malformed(id: OperationId): object {
  if (id === 'deleteSite' || id === 'rotateSiteKey') return specimenOf(id, 'sUnknown0001')
  if (id === 'unsubscribe') return {}
  return operations[id].method === 'GET' ? {} : { body: '{' }
}

/** Runs `work` while a service is killed each time it starts. */
async function keptDown<Result>(system: TestedSystem, service: string, work: () => Promise<Result>): Promise<Result> {
  const kill = () => {
    try {
      system.control?.kill(service)
    } catch {
      // The service is not running at the moment.
    }
  }
  kill()
  const timer = setInterval(kill, 50)
  try {
    return await work()
  } finally {
    clearInterval(timer)
  }
}

/** Repeats a request that was 503 until it succeeds; returns the body of its 201. */
async function resumed(system: TestedSystem, id: OperationId, call: Call): Promise<Record<string, unknown>> {
  for (let tries = 0; ; tries++) {
    const answer = await system.call(id, call)
    if (answer.status === 201) return isSuccess(answer, id, 201)
    ensure(answer.status === 503 || answer.status === 409, answer, 'the request is not resumed')
    ensure(tries < 60, answer, 'the request is still refused')
    await wait(500)
  }
}

export const serverErrors: CaseGroup = {
  title: 'errors on our side',
  cases: [
    ...killed,
    {
      title:
        'While the provider is down, a payment is 503 with its RecordId, an account is 503, and both are resumed afterwards',
      shows: ['createPayment Server Error', 'createAccount Server Error'],
      needs: ['processes', 'sandbox'],
      timeoutMs: 90_000,
      async run(system) {
        const [{ site }, other] = await Promise.all([openOnboardedSite(system), openSite(system)])
        const headers = { 'idempotency-key': randomUUID() }
        const payment = { params: { SiteSlug: site.SiteSlug }, body: paymentBody(), headers }
        const account = { params: { SiteSlug: other.SiteSlug }, body: { paymentProvider: provider }, headers }
        const [unpaid, unopened] = await keptDown(system, 'sandbox-provider', () =>
          Promise.all([system.call('createPayment', payment), system.call('createAccount', account)]),
        )
        // The code depends on when the provider was killed: provider_unavailable or provider_outcome_unknown.
        isProblem(unpaid, { status: 503 })
        isProblem(unopened, { status: 503 })
        const { RecordId } = await resumed(system, 'createPayment', payment)
        same(RecordId, (unpaid.body as { RecordId: string }).RecordId)
        await resumed(system, 'createAccount', account)
        const { params } = payment
        const { Items } = await system.success('listPayments', { params })
        same((Items as unknown[]).length, 1)
        const accounts = await system.call('listAccounts', { params: account.params })
        same((isSuccess(accounts, 'listAccounts', 200) as unknown as unknown[]).length, 1)
      },
    },
    {
      title: 'While a service is down, the audit trail is 503 and no list with a hole, and whole again afterwards',
      shows: ['listAuditEntries Server Error'],
      needs: ['processes'],
      timeoutMs: 60_000,
      async run(system) {
        const { SiteSlug } = await sharedSite(system)
        for (let round = 0; ; round++) {
          system.control?.kill('payments')
          const answer = await system.call('listAuditEntries', { params: { SiteSlug } })
          await back(system, 'listAuditEntries', SiteSlug)
          if (answer.status === 503) return void isProblem(answer, { status: 503 })
          ensure(round < 5, answer, 'payments was never seen to be down')
        }
      },
    },
    {
      title: 'While registry is down, a site that the gateway knows is still served, and an unknown one is 503',
      needs: ['processes'],
      timeoutMs: 60_000,
      async run(system) {
        const { SiteSlug, keys } = await sharedSite(system)
        const known = () => system.call('listAccounts', { params: { SiteSlug }, as: { siteKey: keys.PrimaryKey } })
        isSuccess(await known(), 'listAccounts', 200)
        for (let round = 0; ; round++) {
          system.control?.kill('registry')
          const unknown = system.call('listAccounts', {
            params: { SiteSlug: `s${randomUUID().replaceAll('-', '').slice(0, 11)}` },
          })
          isSuccess(await known(), 'listAccounts', 200)
          const answer = await unknown
          await back(system, 'listSites', SiteSlug)
          if (answer.status === 503) return isProblem(answer, { status: 503 })
          isProblem(answer, { status: 404 })
          ensure(round < 5, answer, 'registry was never seen to be down')
        }
      },
    },
  ],
}
