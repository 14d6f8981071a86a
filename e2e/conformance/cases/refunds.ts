import { deepStrictEqual as same, ok } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { ProblemCode } from '@frontdesk/problems'
import type { CaseGroup } from '../case.ts'
import { ensure, isProblem, isSuccess } from '../check.ts'
import type { Answer } from '../exchange.ts'
import { openPaidPayment, openPayment, openSite, sharedOnboardedSite, until, type Payment } from '../practice.ts'
import type { Query, TestedSystem } from '../tested-system.ts'

interface Refund {
  RefundId: string
  Amount: number
  Status: string
  [member: string]: unknown
}

const paramsOf = (site: string, { RecordId }: Payment) => ({ SiteSlug: site, PaymentIdentifier: RecordId })

/** Opens a paid payment of 45.00 GBP at the shared practice. Returns calls about it. */
async function openPaid(system: TestedSystem) {
  const { site } = await sharedOnboardedSite(system)
  const payment = await openPaidPayment(system, site.SiteSlug)
  const params = paramsOf(site.SiteSlug, payment)
  const refund = (body: Record<string, unknown> = {}, headers: Record<string, string> = {}) =>
    system.call('createRefund', { params, body, headers })
  return {
    payment,
    params,
    refund,
    refunded: async (body: Record<string, unknown> = {}) =>
      isSuccess(await refund(body), 'createRefund', 201) as unknown as Refund,
    /** Waits until the record says this. */
    becomes: (Status: string, RefundedAmount: number) =>
      until(
        system,
        'getPayment',
        params,
        (body) => body['Status'] === Status && body['RefundedAmount'] === RefundedAmount,
      ),
    atBank: (action: string) => system.provider.atCheckout(payment.PaymentId, action),
  }
}

const refusedAs = (code: ProblemCode) => ({ status: 422, code }) as const
const succeeded = (answers: readonly Answer[]) => answers.filter(({ status }) => status === 201)

export const refunds: CaseGroup = {
  title: 'refunds',
  cases: [
    {
      title: 'A refund returns what was sent, and the record shows it, its amount and the status that follows',
      shows: ['createRefund success', 'getRefund success', 'listRefunds success'],
      needs: ['sandbox'],
      async run(system) {
        const { params, payment, refunded, becomes } = await openPaid(system)
        const sent = { Amount: 1_500, Reason: 'One treatment less/ä', Reference: 'CREDIT-17' }
        const { RefundId, Status, CreatedAt, ProviderRefundId, ...rest } = await refunded(sent)
        same(rest, { RecordId: payment.RecordId, PaymentProvider: 'Sandbox', Currency: 'GBP', ...sent })
        ok(['Pending', 'Succeeded'].includes(Status), `a new refund is ${Status}`)
        ok(typeof ProviderRefundId === 'string' && Date.parse(String(CreatedAt)) <= Date.now() + 60_000)
        const record = await becomes('PartiallyRefunded', 1_500)
        const one = await system.success('getRefund', { params: { ...params, RefundIdentifier: RefundId } })
        same(one['Status'], 'Succeeded')
        same(record['Refunds'], [one])
        same(await system.success('listRefunds', { params }), { Items: [one] })
        // The order stays as it was.
        same([record['Amount'], record['PaidAmount'], record['PaidCurrency']], [4_500, 4_500, 'GBP'])
      },
    },
    {
      title: 'Without an amount the rest is refunded, and then nothing is left',
      shows: ['createRefund success', 'createRefund Unprocessable'],
      needs: ['sandbox'],
      async run(system) {
        const { refund, refunded, becomes } = await openPaid(system)
        same((await refunded({ Amount: 1 })).Amount, 1)
        same((await refunded()).Amount, 4_499)
        await becomes('Refunded', 4_500)
        for (const body of [{}, { Amount: 1 }]) {
          const answer = await refund(body)
          ensure(answer.status === 422, answer, 'more was refunded than was paid')
          const { code } = answer.body as { code: string }
          ok(['refund_too_large', 'payment_not_refundable'].includes(code), code)
        }
      },
    },
    {
      title: 'Refunds of more than what is left are refused, and say how much is left',
      shows: ['createRefund Unprocessable'],
      needs: ['sandbox'],
      async run(system) {
        const { refund, refunded } = await openPaid(system)
        isProblem(await refund({ Amount: 4_501 }), refusedAs('refund_too_large'))
        isProblem(await refund({ Amount: Number.MAX_SAFE_INTEGER }), refusedAs('refund_too_large'))
        await refunded({ Amount: 4_000 })
        const answer = await refund({ Amount: 501 })
        isProblem(answer, refusedAs('refund_too_large'))
        ensure(
          /\b500\b/.test(String((answer.body as { detail?: string }).detail)),
          answer,
          'it does not say what is left',
        )
        await refunded({ Amount: 500 })
      },
    },
    {
      title: 'A payment that is open, cancelled, failed or disputed cannot be refunded',
      shows: ['createRefund Unprocessable'],
      needs: ['sandbox'],
      async run(system) {
        const { site } = await sharedOnboardedSite(system)
        const refused = async (payment: Payment) =>
          isProblem(
            await system.call('createRefund', { params: paramsOf(site.SiteSlug, payment), body: {} }),
            refusedAs('payment_not_refundable'),
          )
        const open = await openPayment(system, site.SiteSlug)
        await refused(open)
        await system.success('cancelPayment', { params: paramsOf(site.SiteSlug, open) })
        await refused(open)
        const failed = await openPayment(system, site.SiteSlug)
        await system.provider.atCheckout(failed.PaymentId, 'fail')
        await until(system, 'getPayment', paramsOf(site.SiteSlug, failed), ({ Status }) => Status === 'Failed')
        await refused(failed)
        const { payment, atBank, becomes, refunded } = await openPaid(system)
        await atBank('dispute')
        await becomes('Disputed', 0)
        await refused(payment)
        await atBank('win-dispute')
        await becomes('Completed', 0)
        await refunded()
      },
    },
    {
      title: 'A refund that fails at the bank is Failed, no longer counts, and can be made again',
      shows: ['getRefund success', 'createRefund success'],
      needs: ['sandbox'],
      async run(system) {
        const { params, refunded, becomes, atBank } = await openPaid(system)
        const { RefundId } = await refunded()
        await becomes('Refunded', 4_500)
        await atBank('fail-refund')
        await becomes('Completed', 0)
        const one = await system.success('getRefund', { params: { ...params, RefundIdentifier: RefundId } })
        same(one['Status'], 'Failed')
        ok(typeof one['FailureReason'] === 'string' && one['FailureReason'] !== '', 'it does not say why')
        await refunded()
        await becomes('Refunded', 4_500)
      },
    },
    {
      title: "A refund from the provider's dashboard appears in the record and in the list",
      shows: ['listRefunds success', 'getPayment success'],
      needs: ['sandbox'],
      async run(system) {
        const { params, refunded, becomes, atBank } = await openPaid(system)
        await refunded({ Amount: 500, Reference: 'ours' })
        await becomes('PartiallyRefunded', 500)
        await atBank('refund?amount=1000')
        const { Refunds } = await becomes('PartiallyRefunded', 1_500)
        const theirs = (Refunds as Refund[]).filter(({ Amount }) => Amount === 1_000)
        same(theirs.length, 1)
        same([theirs[0]?.Status, theirs[0]?.['Reference']], ['Succeeded', undefined])
        const { Items } = await system.success('listRefunds', { params })
        same(new Set((Items as Refund[]).map(({ Amount }) => Amount)), new Set([1_000, 500]))
        same((await refunded()).Amount, 3_000)
      },
    },
    {
      title: 'Refunds are listed newest first, page by page, and a page token is good for its payment only',
      shows: ['listRefunds success', 'listRefunds Malformed Request'],
      needs: ['sandbox'],
      async run(system) {
        const first = await openPaid(system)
        const made: string[] = []
        for (const Amount of [1, 2, 3, 4, 5]) made.unshift((await first.refunded({ Amount })).RefundId)
        const list = async (query: Query) => {
          const body = await system.success('listRefunds', { params: first.params, query })
          return {
            ids: (body['Items'] as Refund[]).map(({ RefundId }) => RefundId),
            token: body['NextPageToken'] as string,
          }
        }
        const one = await list({ pageSize: 2 })
        const two = await list({ pageSize: 2, nextPageToken: one.token })
        const three = await list({ pageSize: 2, nextPageToken: two.token })
        same([one.ids, two.ids, three.ids, three.token], [made.slice(0, 2), made.slice(2, 4), made.slice(4), undefined])
        const { params } = await openPaid(system)
        const wrong = await system.call('listRefunds', { params, query: { nextPageToken: one.token } })
        isProblem(wrong, { status: 400, code: 'page_token_invalid' })
        for (const pageSize of [0, 251, 'x'])
          isProblem(await system.call('listRefunds', { params, query: { pageSize } }), {
            status: 400,
            pointer: '/query/pageSize',
          })
      },
    },
    {
      title:
        'An amount is an integer from 1, reason and reference have at most 200 characters, and no other member is taken',
      shows: ['createRefund Malformed Request'],
      needs: ['sandbox'],
      async run(system) {
        const { refund, refunded } = await openPaid(system)
        for (const Amount of [0, -1, 1.5, '1', 2 ** 53])
          isProblem(await refund({ Amount }), { status: 400, code: 'malformed_request', pointer: '/Amount' })
        for (const name of ['Reason', 'Reference'])
          for (const value of ['x'.repeat(201), 7])
            isProblem(await refund({ [name]: value }), { status: 400, pointer: `/${name}` })
        for (const name of ['amount', 'Currency', 'RefundId'])
          isProblem(await refund({ [name]: 'x' }), { status: 400, pointer: `/${name}` })
        await refunded({ Amount: 1, Reason: 'x'.repeat(200), Reference: '🦷'.repeat(200) })
        await refunded({ Amount: 1, Reason: null, Reference: null })
      },
    },
    {
      title: 'A refund is not found through another site or another payment, nor a payment through another site',
      shows: ['createRefund Not Found', 'listRefunds Not Found', 'getRefund Not Found'],
      needs: ['sandbox'],
      async run(system) {
        const { params, refunded } = await openPaid(system)
        const { RefundId: RefundIdentifier } = await refunded({ Amount: 1 })
        const elsewhere = { ...params, SiteSlug: (await openSite(system)).SiteSlug }
        const noPayment = { status: 404, code: 'payment_not_found' } as const
        isProblem(await system.call('createRefund', { params: elsewhere, body: {} }), noPayment)
        isProblem(await system.call('listRefunds', { params: elsewhere }), noPayment)
        isProblem(await system.call('getRefund', { params: { ...elsewhere, RefundIdentifier } }), { status: 404 })
        const other = await openPaid(system)
        const noRefund = { status: 404, code: 'refund_not_found' } as const
        isProblem(await system.call('getRefund', { params: { ...other.params, RefundIdentifier } }), noRefund)
        isProblem(await system.call('getRefund', { params: { ...params, RefundIdentifier: randomUUID() } }), noRefund)
      },
    },
    {
      title: 'A refund repeated under its Idempotency-Key is one refund, and another body under it is refused',
      shows: ['createRefund success', 'createRefund Unprocessable'],
      needs: ['sandbox'],
      async run(system) {
        const { params, refund } = await openPaid(system)
        const headers = { 'idempotency-key': randomUUID() }
        const first = await refund({ Amount: 700 }, headers)
        const second = await refund({ Amount: 700 }, headers)
        same([second.status, second.body], [first.status, first.body])
        ensure(second.headers['idempotency-replayed'] === 'true', second, 'no replay')
        isProblem(await refund({ Amount: 701 }, headers), refusedAs('idempotency_key_reused'))
        same(((await system.success('listRefunds', { params }))['Items'] as Refund[]).length, 1)
      },
    },
    {
      title: 'Of ten simultaneous refunds of the whole payment one succeeds, and of halves at most two',
      shows: ['createRefund Unprocessable'],
      needs: ['sandbox'],
      timeoutMs: 60_000,
      async run(system) {
        for (const [Amount, most] of [
          [undefined, 1],
          [2_250, 2],
        ] as const) {
          const { params, refund, becomes } = await openPaid(system)
          const body = Amount === undefined ? {} : { Amount }
          const answers = await Promise.all(Array.from({ length: 10 }, () => refund(body)))
          for (const answer of answers.filter(({ status }) => status !== 201))
            ensure(answer.status === 422 || answer.status === 409, answer, 'neither 201, 422 nor 409')
          same(succeeded(answers).length, most)
          await becomes('Refunded', 4_500)
          const { Items } = await system.success('listRefunds', { params })
          const sum = (Items as Refund[]).reduce((all, { Amount: one }) => all + one, 0)
          same([(Items as Refund[]).length, sum], [most, 4_500])
        }
      },
    },
    {
      title: 'Ten simultaneous first refunds under one key make one refund',
      shows: ['createRefund User Error'],
      needs: ['sandbox'],
      async run(system) {
        const { params, refund } = await openPaid(system)
        const headers = { 'idempotency-key': randomUUID() }
        const answers = await Promise.all(Array.from({ length: 10 }, () => refund({ Amount: 100 }, headers)))
        for (const answer of answers.filter(({ status }) => status !== 201))
          isProblem(answer, { status: 409, code: 'idempotency_key_in_use' })
        same(new Set(succeeded(answers).map(({ text }) => text)).size, 1)
        same(((await system.success('listRefunds', { params }))['Items'] as Refund[]).length, 1)
      },
    },
  ],
}
