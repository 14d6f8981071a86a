import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { isSecretOf, parseClients } from './clients.ts'

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const entry = {
  id: 'demo',
  secretSha256: sha256('swordfish'),
  scopes: ['payments:read'],
  practiceManagementSoftware: ['OpenDental'],
}
const file = (...clients: object[]) => JSON.stringify({ clients })

test('a client is authenticated by its id and its secret', () => {
  const clients = parseClients(file(entry))
  expect(isSecretOf(clients.get('demo'), 'swordfish')).toBe(true)
  expect(isSecretOf(clients.get('demo'), 'Swordfish')).toBe(false)
  expect(isSecretOf(clients.get('demo'), '')).toBe(false)
  expect(isSecretOf(undefined, 'swordfish')).toBe(false)
})

test('both secrets of a client are accepted while one is being replaced', () => {
  const clients = parseClients(file({ ...entry, secretSha256: [sha256('old'), sha256('new')] }))
  expect(isSecretOf(clients.get('demo'), 'old')).toBe(true)
  expect(isSecretOf(clients.get('demo'), 'new')).toBe(true)
})

test('a client without a secret cannot log in', () => {
  const { secretSha256: _none, ...without } = entry
  expect(isSecretOf(parseClients(file(without)).get('demo'), '')).toBe(false)
})

test('a misspelt member is refused, since a restriction could be lost', () => {
  expect(() => parseClients(file({ ...entry, organizations: ['oAcme1234567'] }))).toThrow(/clients\/0/)
})

test('two clients with one id, an unknown scope and a plain secret are refused', () => {
  expect(() => parseClients(file(entry, entry))).toThrow(/demo is there twice/)
  expect(() => parseClients(file({ ...entry, scopes: ['payments:all'] }))).toThrow(/scopes/)
  expect(() => parseClients(file({ ...entry, secretSha256: 'swordfish' }))).toThrow(/secretSha256/)
})

test('ready-made clients of development are accepted in that mode only', () => {
  const ready = JSON.stringify({ clients: [entry], development: true })
  expect(() => parseClients(ready)).toThrow(/CLIENTS_FILE needs FRONTDESK_MODE=development/)
  expect(parseClients(ready, 'development').has('demo')).toBe(true)
})
