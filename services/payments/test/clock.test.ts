import { clockOffset } from '@frontdesk/testing/clock-offset'
import { expect, test } from 'vitest'
import { openPaymentsFixture } from './payments-fixture.ts'

test(
  'a service whose clock is 90 s ahead takes an answer of the provider to be as old as it is',
  { timeout: 90_000 },
  async () => {
    await using fixture = await openPaymentsFixture()
    await fixture.stop()
    await fixture.spawn('payments', clockOffset(90_000))
    const site = await fixture.readySite()
    const { RecordId: recordId, PaymentId: paymentId = '' } = (await fixture.create(site)).body

    const asked = () =>
      fixture.network.requests.filter(({ method, path }) => method === 'GET' && path.includes(paymentId))
    for (let reads = 0; reads < 3; reads++) expect((await fixture.get(site, recordId)).status).toBe(200)
    expect(asked()).toHaveLength(0)

    await fixture.makeDue(recordId)
    expect((await fixture.get(site, recordId)).status).toBe(200)
    expect(asked().length).toBeGreaterThan(0)
  },
)
