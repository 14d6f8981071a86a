import { randomInt } from 'node:crypto'
import fc from 'fast-check'
import { ensure, isSuccess, wellFormedProblem, wellFormedSuccess } from './check.ts'
import type { Answer } from './exchange.ts'
import { requests, type GeneratedRequest, type Stage } from './generated-requests.ts'
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
  /** The same seed makes the same requests. */
  seed?: number | undefined
  onProgress?: (done: number) => void
}

const together = 20

/**
 * Sends generated requests: valid ones, ones with one fault, odd ones and strangers'. Throws with the first exchange
 * that is not as it must be, or the first log line, and the seed to repeat it.
 */
export async function sendGenerated(system: TestedSystem, options: GeneratedOptions): Promise<GeneratedReport> {
  const { requests: wanted, seed = randomInt(2 ** 31), onProgress = () => {} } = options
  const stage = await openStage(system)
  const from = (await system.control?.logged())?.length ?? 0
  const answers: Record<string, number> = {}
  let done = 0
  const batches = fc.array(requests(stage), { minLength: together, maxLength: together, size: 'max' })
  const property = fc.asyncProperty(batches, async (batch) => {
    const sent = batch.map(async (request) => [request, await answerOf(system, stage, request)] as const)
    for (const [request, answer] of await Promise.all(sent)) {
      const kind = `${request.id} ${answer.status}`
      answers[kind] = (answers[kind] ?? 0) + 1
      await forget(system, stage, answer)
      meets(answer, request)
    }
    done += batch.length
    onProgress(done)
  })
  // The first exchange says it all: a smaller batch would say it again.
  const report = await fc.check(property, { numRuns: Math.ceil(wanted / together), seed, endOnFailure: true })
  const error = report.errorInstance
  if (report.failed) throw new Error(`${error instanceof Error ? error.message : String(error)}\n  (seed ${seed})`)
  await logsAreClean(system, { from, stacks: true })
  return { requests: done, answers }
}

async function openStage(system: TestedSystem): Promise<Stage> {
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
  const subscription = { EventTypes: ['payment.*'], Url: 'https://subscriber.example/generated' }
  isSuccess(await system.call('subscribe', { params, body: subscription, as }), 'subscribe', 201)
  const sent = isSuccess(await system.call('sendTestEvent', { params, as }), 'sendTestEvent', 202)
  // What is still to be delivered when the sites are deleted goes nowhere.
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

function answerOf(system: TestedSystem, { as }: Stage, { id, call, expected }: GeneratedRequest): Promise<Answer> {
  return system.call(id, { ...call, as: expected.kind === 'unauthorized' ? 'nobody' : as })
}

/** Deletes a site that a generated request made. */
async function forget(system: TestedSystem, { as }: Stage, { status, body, question }: Answer): Promise<void> {
  if (status !== 201 || !question.path.endsWith('/management/sites')) return
  const { Identity } = body as { Identity: { SiteSlug: string } }
  await system.call('deleteSite', { params: { SiteIdentifier: Identity.SiteSlug }, as })
}

/** Throws unless an answer is one that the request may get. */
export function meets(answer: Answer, { id, expected }: GeneratedRequest): void {
  const { status } = answer
  ensure(status < 500, answer, 'an error of ours')
  if (status < 300) {
    ensure(expected.kind === 'valid' || expected.kind === 'any', answer, `let through, although ${expected.kind}`)
    wellFormedSuccess(answer, id)
    return
  }
  const { errors } = wellFormedProblem(answer)
  switch (expected.kind) {
    case 'unauthorized':
      return ensure(status === 401, answer, 'not 401')
    case 'malformed': {
      ensure(status === 400 || status === 422, answer, 'malformed, and not 400 or 422')
      const pointers = ((errors ?? []) as { pointer: string }[]).map(({ pointer }) => pointer)
      // A value of another type than expected may be looked into as if it were of another branch of a union.
      const { pointer: wanted = '' } = expected
      const isAt = (pointer: string) => pointer === wanted || pointer.startsWith(`${wanted}/`)
      const isNamed = pointers.length === 0 || pointers.length >= 100 || pointers.some(isAt)
      return ensure(isNamed, answer, `the fault is at ${expected.pointer}, and not at ${pointers.join(' ')}`)
    }
    case 'valid':
      return ensure([404, 409, 422].includes(status), answer, 'valid, and refused by other than a rule')
    case 'any':
  }
}
