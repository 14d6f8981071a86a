import { randomInt } from 'node:crypto'
import fc from 'fast-check'
import { ensure, isSuccess, wellFormedProblem, wellFormedSuccess } from './check.ts'
import type { Answer } from './exchange.ts'
import { requests, type GeneratedRequest, type Targets } from './generated-requests.ts'
import { logsAreClean } from './log-lines.ts'
import { openOnboardedSite, openSite, paymentBody, type Site } from './practice.ts'
import type { TestedSystem } from './tested-system.ts'

export interface GeneratedReport {
  requests: number
  /** Answers by operation and status, such as `createSite 201`. */
  answers: Readonly<Record<string, number>>
}

export interface GeneratedOptions {
  requests: number
  /** The same seed generates the same requests. */
  seed?: number | undefined
  onProgress?: (done: number) => void
}

const batchSize = 20

/**
 * Sends generated requests: valid ones, ones with one fault, unusual ones, and ones without credentials. Throws with the
 * first answer or log line that is not allowed, and with the seed to repeat the run.
 */
export async function sendGenerated(system: TestedSystem, options: GeneratedOptions): Promise<GeneratedReport> {
  const { requests: wanted, seed = randomInt(2 ** 31), onProgress = () => {} } = options
  const targets = await openTargets(system)
  const from = (await system.control?.logged())?.length ?? 0
  const answers: Record<string, number> = {}
  let done = 0
  const batches = fc.array(requests(targets), { minLength: batchSize, maxLength: batchSize, size: 'max' })
  const property = fc.asyncProperty(batches, async (batch) => {
    const sent = batch.map(async (request) => [request, await answerOf(system, targets, request)] as const)
    for (const [request, answer] of await Promise.all(sent)) {
      const kind = `${request.id} ${answer.status}`
      answers[kind] = (answers[kind] ?? 0) + 1
      await forget(system, targets, answer)
      meets(answer, request)
    }
    done += batch.length
    onProgress(done)
  })
  // The first failure shows the whole exchange, so shrinking would add nothing.
  const report = await fc.check(property, { numRuns: Math.ceil(wanted / batchSize), seed, endOnFailure: true })
  const error = report.errorInstance
  if (report.failed) throw new Error(`${error instanceof Error ? error.message : String(error)}\n  (seed ${seed})`)
  await logsAreClean(system, { from, stacks: true })
  return { requests: done, answers }
}

async function openTargets(system: TestedSystem): Promise<Targets> {
  const as = { client: system.busy.id }
  const pms = system.main.practiceManagementSoftware[0] ?? ''
  const open = (): Promise<Site> => openSite(system, { as, headers: { 'x-practice-management-software': pms } })
  const hasSandbox = system.has('sandbox')
  const opened = hasSandbox ? await openOnboardedSite(system, { as }) : { site: await open() }
  const params = { SiteSlug: opened.site.SiteSlug }
  const payments: string[] = []
  for (let made = 0; hasSandbox && made < 5; made++) {
    const answer = await system.call('createPayment', { params, body: paymentBody(), as })
    payments.push(String(isSuccess(answer, 'createPayment', 201)['RecordId']))
  }
  if (hasSandbox) {
    // One that can be refunded.
    const record = await system.success('getPayment', {
      params: { ...params, PaymentIdentifier: payments[0] ?? '' },
      as,
    })
    await system.provider.atCheckout(String(record['PaymentId']), 'pay')
  }
  const subscription = { EventTypes: ['payment.*'], Url: 'https://subscriber.example/generated' }
  await system.success('subscribe', { params, body: subscription, as }, 201)
  const sent = await system.success('sendTestEvent', { params, as })
  // Cancels pending deliveries before the sites are deleted.
  system.cleanUp(() => system.call('unsubscribe', { params, as }))
  return {
    as,
    hasSandbox,
    practice: params.SiteSlug,
    changed: (await open()).SiteSlug,
    other: (await open()).SiteSlug,
    existing: {
      PaymentIdentifier: payments,
      AccountId: 'account' in opened ? [opened.account.accountId] : [],
      DeliveryId: [String(sent['DeliveryId'])],
    },
  }
}

function answerOf(system: TestedSystem, { as }: Targets, { id, call, expected }: GeneratedRequest): Promise<Answer> {
  return system.call(id, { ...call, as: expected.kind === 'unauthorized' ? 'nobody' : as })
}

/** Deletes a site that a generated request made. */
async function forget(system: TestedSystem, { as }: Targets, { status, body, question }: Answer): Promise<void> {
  if (status !== 201 || !question.path.endsWith('/management/sites')) return
  const { Identity } = body as { Identity: { SiteSlug: string } }
  await system.call('deleteSite', { params: { SiteIdentifier: Identity.SiteSlug }, as })
}

/** Throws unless the request may get this answer. */
export function meets(answer: Answer, { id, expected }: GeneratedRequest): void {
  const { status } = answer
  ensure(status < 500, answer, 'a server error')
  if (status < 300) {
    ensure(expected.kind === 'valid' || expected.kind === 'any', answer, `accepted, although ${expected.kind}`)
    wellFormedSuccess(answer, id)
    return
  }
  const { errors } = wellFormedProblem(answer)
  switch (expected.kind) {
    case 'unauthorized':
      return ensure(status === 401, answer, 'not 401')
    case 'malformed': {
      ensure(status === 400 || status === 422, answer, 'a malformed request is not 400 or 422')
      const pointers = ((errors ?? []) as { pointer: string }[]).map(({ pointer }) => pointer)
      // A value of another type may be validated against another branch of a union, which points further inside.
      const { pointer: wanted = '' } = expected
      const isAt = (pointer: string) => pointer === wanted || pointer.startsWith(`${wanted}/`)
      const isNamed = pointers.length === 0 || pointers.length >= 100 || pointers.some(isAt)
      return ensure(isNamed, answer, `the fault is at ${expected.pointer}, and not at ${pointers.join(' ')}`)
    }
    case 'valid':
      return ensure(
        [404, 409, 422].includes(status),
        answer,
        'a valid request is refused by something other than a rule',
      )
    case 'any':
  }
}
