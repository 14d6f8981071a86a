import { deepStrictEqual as same, ok } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { operations, type Operation, type OperationId } from '@frontdesk/contracts'
import type { CaseGroup } from '../case.ts'
import { ensure, isProblem, isSuccess, wellFormedSuccess } from '../check.ts'
import type { Answer } from '../exchange.ts'
import {
  deletedAtEnd,
  onboard,
  openPaidPayment,
  openPayment,
  openOnboardedSite,
  openSite,
  paymentBody,
  siteOf,
  uniqueName,
} from '../practice.ts'
import { bodyOf } from '../specimens.ts'
import type { Call, TestedSystem } from '../tested-system.ts'

const keyed = (key: string = randomUUID()) => ({ 'idempotency-key': key })
const replayed = ({ headers }: Answer) => headers['idempotency-replayed'] === 'true'

/** Creates a site, which is deleted at the end. Returns the answer, whatever it is. */
async function create(system: TestedSystem, call: Call): Promise<Answer> {
  const answer = await system.call('createSite', call)
  if (answer.status === 201) {
    const { SiteSlug, PracticeManagementSoftware: pms } = siteOf(answer)
    deletedAtEnd(system, SiteSlug, call.as ?? { client: system.main.id }, pms)
  }
  return answer
}

/** Returns how many sites of an organisation have a name. */
async function sitesNamed(system: TestedSystem, organisation: string, name: string): Promise<number> {
  const query = { OwningOrganisations: organisation, pageSize: 250 }
  const { Items } = await system.success('listSites', { query })
  return (Items as { Name: string }[]).filter(({ Name }) => Name === name).length
}

export const idempotency: CaseGroup = {
  title: 'Idempotency-Key',
  cases: [
    {
      title: 'A POST repeated under the same key is done once and answered twice, on every operation',
      needs: ['sandbox'],
      timeoutMs: 60_000,
      async run(system) {
        const { site } = await openOnboardedSite(system)
        const { RecordId } = await openPayment(system, site.SiteSlug)
        const paid = await openPaidPayment(system, site.SiteSlug)
        const params: Record<string, string> = { SiteSlug: site.SiteSlug, PaymentIdentifier: RecordId }
        Object.assign(params, { SiteIdentifier: site.SiteSlug, Key: 'Secondary' })
        const ids = (Object.keys(operations) as OperationId[]).filter(
          (id) => (operations[id] as Operation).method === 'POST' && id !== 'createSite',
        )
        // Operations on a subscription come after it, and redeliver after the test event that it sends again.
        for (const id of ids.toSorted((one, other) => Number(one === 'redeliver') - Number(other === 'redeliver'))) {
          const of = id === 'createRefund' ? { ...params, PaymentIdentifier: paid.RecordId } : params
          const call = { params: of, body: bodyOf(id), headers: keyed() }
          const first = await system.call(id, call)
          ensure(first.status < 300, first, 'no success')
          const body = wellFormedSuccess(first, id)
          if (id === 'sendTestEvent') params['DeliveryId'] = String(body['DeliveryId'])
          ensure(!replayed(first), first, 'the first answer is a replay')
          const second = await system.call(id, call)
          wellFormedSuccess(second, id)
          ensure(replayed(second), second, 'the second answer is not a replay')
          same([second.status, second.body], [first.status, first.body])
        }
      },
    },
    {
      title: 'Bodies are compared by their values: the order of members and spaces do not matter',
      async run(system) {
        const headers = keyed()
        const name = uniqueName()
        const first = await create(system, { headers, body: { Name: name, Address: { Locality: 'a', Region: 'b' } } })
        const { SiteSlug } = siteOf(first)
        const text = `{ "Address" : {"Region":"b" , "Locality":"a"},\n "Name": ${JSON.stringify(name)} }`
        const again = await system.call('createSite', { headers, body: text })
        ensure(replayed(again), again, 'no replay')
        same(siteOf(again).SiteSlug, SiteSlug)
        const others = [{ Name: name }, { Name: `${name} `, Address: { Locality: 'a', Region: 'b' } }]
        for (const body of [...others, { Name: name, Address: { Locality: 'a', Region: 'c' } }]) {
          const answer = await create(system, { headers, body })
          isProblem(answer, { status: 422, code: 'idempotency_key_reused' })
        }
      },
    },
    {
      title: 'A quoted key is the same key as a bare one',
      async run(system) {
        const key = randomUUID()
        const body = { Name: uniqueName() }
        const first = await create(system, { headers: keyed(key), body })
        const second = await create(system, { headers: keyed(`"${key}"`), body })
        ensure(replayed(second), second, 'no replay')
        same(second.body, first.body)
      },
    },
    {
      title: 'The same key from another client, on another path or on another operation is another key',
      needs: ['several systems'],
      async run(system) {
        const headers = keyed()
        const body = { Name: uniqueName() }
        const first = await create(system, { headers, body })
        const client = system.several?.id ?? ''
        const pms = system.main.practiceManagementSoftware[0] ?? ''
        const other = { body, as: { client }, headers: { ...headers, 'x-practice-management-software': pms } }
        const second = await create(system, other)
        ensure(second.status === 201 && !replayed(second), second, 'the key of another client counts')
        ok(siteOf(first).SiteSlug !== siteOf(second).SiteSlug)
        const rotate = (answer: Answer, Key: string) =>
          system.call('rotateSiteKey', { params: { SiteIdentifier: siteOf(answer).SiteSlug, Key }, headers })
        for (const answer of [
          await rotate(first, 'Primary'),
          await rotate(first, 'Secondary'),
          await rotate(second, 'Primary'),
        ]) {
          isSuccess(answer, 'rotateSiteKey', 200)
          ensure(!replayed(answer), answer, 'the key of another path counts')
        }
      },
    },
    {
      title: 'Refusals without an effect are not stored: the key stays free for a valid request',
      async run(system) {
        const headers = keyed()
        const refused = [{}, { Name: '' }, { Name: 'x', OwningOrganisationSlug: 'oUnknown0001' }]
        for (const body of refused) {
          const answer = await create(system, { headers, body })
          ensure([400, 422].includes(answer.status), answer, 'not refused')
        }
        const without = { client: system.main.id, scopes: ['sites:read'] as const }
        isProblem(await system.call('createSite', { headers, body: { Name: 'x' }, as: without }), { status: 403 })
        const made = await create(system, { headers, body: { Name: uniqueName() } })
        ensure(made.status === 201 && !replayed(made), made, 'the key is taken')
      },
    },
    {
      title:
        'Ten simultaneous first requests create one site: the others get its answer, or are told that it is in progress',
      async run(system) {
        const { OwningOrganisationSlug } = await openSite(system)
        const body = { Name: uniqueName(), OwningOrganisationSlug }
        const headers = keyed()
        const answers = await Promise.all(Array.from({ length: 10 }, () => create(system, { headers, body })))
        for (const answer of answers.filter(({ status }) => status !== 201)) {
          isProblem(answer, { status: 409, code: 'idempotency_key_in_use' })
          ok(Number(answer.headers['retry-after']) >= 1, '409 without Retry-After')
        }
        const made = answers.filter(({ status }) => status === 201)
        same(made.filter((answer) => !replayed(answer)).length, 1)
        same(new Set(made.map((answer) => answer.text)).size, 1)
        const last = await create(system, { headers, body })
        ensure(replayed(last), last, 'no replay')
        same(await sitesNamed(system, OwningOrganisationSlug, body.Name), 1)
      },
    },
    {
      title: 'Ten simultaneous first payments under one key create one payment',
      shows: ['createPayment User Error'],
      needs: ['sandbox'],
      async run(system) {
        const { site } = await openOnboardedSite(system)
        const params = { SiteSlug: site.SiteSlug }
        const call = { params, body: paymentBody({ Reference: randomUUID() }), headers: keyed() }
        const answers = await Promise.all(Array.from({ length: 10 }, () => system.call('createPayment', call)))
        for (const answer of answers.filter(({ status }) => status !== 201))
          isProblem(answer, { status: 409, code: 'idempotency_key_in_use' })
        const last = await system.success('createPayment', call)
        const list = await system.success('listPayments', { params })
        same(
          (list['Items'] as { RecordId: string }[]).map((one) => one.RecordId),
          [last['RecordId']],
        )
      },
    },
    {
      title: 'An Idempotency-Key on GET and DELETE does nothing',
      async run(system) {
        const headers = keyed()
        const { SiteSlug } = await openSite(system)
        const params = { SiteIdentifier: SiteSlug }
        for (const round of [1, 2]) {
          const answer = await system.call('getSiteIdentity', { params, headers })
          isSuccess(answer, 'getSiteIdentity', 200)
          ensure(!replayed(answer), answer, `replayed in round ${round}`)
        }
        await system.success('deleteSite', { params, headers })
        isProblem(await system.call('deleteSite', { params, headers }), { status: 404 })
      },
    },
    {
      title: 'Both keys of a site are one caller: a request begun with one can be repeated with the other',
      needs: ['sandbox'],
      async run(system) {
        const { SiteSlug, keys } = await openSite(system)
        await onboard(system, SiteSlug)
        const call = { params: { SiteSlug }, body: paymentBody(), headers: keyed() }
        const first = await system.call('createPayment', { ...call, as: { siteKey: keys.PrimaryKey } })
        const second = await system.call('createPayment', { ...call, as: { siteKey: keys.SecondaryKey } })
        same([second.status, second.body], [first.status, first.body])
        ensure(replayed(second), second, 'no replay')
        const client = await system.call('createPayment', call)
        ensure(client.status === 201 && !replayed(client), client, 'a client gets the payment of the site')
      },
    },
  ],
}
