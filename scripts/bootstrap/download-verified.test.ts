import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { downloadVerified } from './download-verified.mjs'

const archive = Buffer.from('an archive')
const sha256 = createHash('sha256').update(archive).digest('hex')
const server = createServer((request, response) => {
  response.writeHead(request.url === '/archive' ? 200 : 404).end(archive)
})
let host: string

beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  host = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => void server.close())

test('a download with the pinned checksum is returned', async () => {
  expect(await downloadVerified(`${host}/archive`, sha256)).toEqual(archive)
})

test('a download with another checksum is refused, and both are told', async () => {
  const pinned = '0'.repeat(64)
  await expect(downloadVerified(`${host}/archive`, pinned)).rejects.toThrow(`has the SHA-256 ${sha256}, not ${pinned}`)
})

test('an answer that is no success is refused before its bytes are looked at', async () => {
  await expect(downloadVerified(`${host}/other`, sha256)).rejects.toThrow('answered 404')
})
