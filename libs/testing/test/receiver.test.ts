import { expect, test } from 'vitest'
import { eventually } from '../src/eventually.ts'
import { openReceiver } from '../src/receiver.ts'

test('A receiver records requests and gives the chosen reply', async () => {
  await using receiver = await openReceiver()
  receiver.reply((request) => ({ status: request.path === '/gone' ? 410 : 200, body: 'ok' }))
  const reply = await fetch(`${receiver.url}/hook?a=1`, { method: 'POST', body: '{"é":1}', headers: { 'x-one': '1' } })
  expect(reply.status).toBe(200)
  expect((await fetch(`${receiver.url}/gone`)).status).toBe(410)
  expect(receiver.requests[0]).toMatchObject({ method: 'POST', path: '/hook?a=1', body: '{"é":1}' })
  expect(receiver.requests[0]?.headers['x-one']).toBe('1')
})

test('A receiver can drop a connection or never answer', async () => {
  await using receiver = await openReceiver()
  receiver.reply(() => 'drop')
  await expect(fetch(receiver.url)).rejects.toThrow()
  receiver.reply(() => 'hang')
  await expect(fetch(receiver.url, { signal: AbortSignal.timeout(100) })).rejects.toThrow(/timeout/)
})

test('eventually throws the last failure after its time', async () => {
  let attempts = 0
  const failing = eventually(
    () => {
      attempts += 1
      throw new Error(`attempt ${attempts}`)
    },
    { within: 100, every: 10 },
  )
  await expect(failing).rejects.toThrow(/^attempt \d+$/)
  expect(attempts).toBeGreaterThan(3)
})
