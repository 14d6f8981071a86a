import { expect, test } from 'vitest'
import { openGateway, site } from './gateway-fixture.ts'

test('requests that are in flight are answered during a stop', async () => {
  const gateway = await openGateway()
  gateway.upstreams.registry.sites.set(site.slug, site)
  const token = await gateway.token('demo')
  let arrived = () => {}
  const underWay = new Promise<void>((resolve) => (arrived = resolve))
  gateway.upstreams.payments.answer(async () => {
    arrived()
    await new Promise((resolve) => setTimeout(resolve, 500))
    return { paid: true }
  })
  const answer = gateway.call(`/api/v1/sites/${site.slug}/payments`, { method: 'POST', token, body: '{}' })
  await underWay
  const stopped = gateway.stop()
  expect(await answer).toMatchObject({ status: 200, json: { paid: true }, headers: { connection: 'close' } })
  await stopped
  await expect(gateway.call('/livez')).rejects.toThrow()
  await gateway[Symbol.asyncDispose]()
})

test('the start fails with all missing and wrong settings at once', async () => {
  const wrong = { PUBLIC_URL: 'api.example.com', REGISTRY_URL: '', METRICS_PORT: 'many' }
  const failing = openGateway({ env: wrong })
  await expect(failing).rejects.toThrow(/PUBLIC_URL[^]*REGISTRY_URL|REGISTRY_URL[^]*PUBLIC_URL/)
  await expect(failing).rejects.toThrow(/METRICS_PORT/)
})
