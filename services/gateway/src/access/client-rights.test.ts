import { expect, test } from 'vitest'
import { parseClients } from '../tokens/clients.ts'
import { partsOf } from './client-rights.ts'

const clientsOf = (entries: object[]) => parseClients(JSON.stringify({ clients: entries }))
const entry = (id: string, more: object = {}) => ({
  id,
  scopes: ['webhooks:write'],
  practiceManagementSoftware: ['OpenDental'],
  ...more,
})

test('the clients that may have subscriptions are told with their rights, in the order of their ids', () => {
  const clients = clientsOf([
    entry('b', { organisations: ['oAbc'] }),
    entry('reader', { scopes: ['webhooks:read', 'payments:write'] }),
    entry('a'),
  ])
  expect(partsOf(clients)).toEqual([
    {
      clients: [
        { id: 'a', practiceManagementSystems: ['OpenDental'] },
        { id: 'b', practiceManagementSystems: ['OpenDental'], organisations: ['oAbc'] },
      ],
    },
  ])
})

test('without clients the one part says so', () => {
  expect(partsOf(clientsOf([]))).toEqual([{ clients: [] }])
})

test('parts fit into a body, and leave no id out between them', () => {
  const ids = Array.from({ length: 10 }, (_, index) => `client-${index}`)
  const parts = partsOf(clientsOf(ids.map((id) => entry(id))), 200)
  expect(parts.length).toBeGreaterThan(2)
  expect(parts.flatMap(({ clients }) => clients.map(({ id }) => id))).toEqual(ids)
  expect([parts[0]?.after, parts.at(-1)?.upTo]).toEqual([undefined, undefined])
  for (const [index, part] of parts.slice(1).entries()) {
    expect(part.after).toBe(parts[index]?.upTo)
    expect(part.after).toBe(parts[index]?.clients.at(-1)?.id)
  }
})
