import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { writeInternalKeys } from '@frontdesk/testing/internal-keys'
import { afterAll, expect, test } from 'vitest'
import type { ArrivedRequest } from './request-signatures.ts'
import { openTokenIssuer, openTokenVerifier, type InternalClaims } from './internal-tokens.ts'

const folder = mkdtempSync(join(tmpdir(), 'tokens-'))
const keysOf = writeInternalKeys(folder, ['gateway', 'payments', 'accounts', 'webhook-delivery'])
const start = Date.parse('2026-11-22T08:00:00.400Z')
const seconds = (count: number) => start + count * 1000

const claims: InternalClaims = {
  principal: { id: 'client:demo', scopes: ['payments:read'], practiceManagementSystems: ['Exact'] },
  site: {
    slug: 'sAbc12345678',
    name: 'Smile Dental',
    practiceManagementSystem: 'Exact',
    pmsSpecificId: '7',
    owningOrganisation: 'oAbc12345678',
    billingOrganisation: 'oAbc12345678',
    status: 'Operational',
    country: 'GB',
    emailAddress: 'desk@smile.example',
    phoneNumber: '+442071234567',
    webhookUrl: 'https://smile.example/hook',
  },
}

const issuer = openTokenIssuer('gateway', keysOf('gateway'), () => start)
afterAll(() => rmSync(folder, { recursive: true }))

/** Returns a request with a new token for a service, signed. */
async function signedFor(audience: 'payments' | 'accounts' | 'webhook-delivery'): Promise<ArrivedRequest> {
  const authorization = `Bearer ${await issuer.mint(audience, claims)}`
  const request = { method: 'GET', path: '/x', headers: { authorization } }
  return { method: 'GET', url: '/x', headers: issuer.sign(audience, request) }
}

/** Verifies a new token with a clock that is this many seconds from the issuer's. */
const verifiedAt = async (skew: number) =>
  openTokenVerifier('payments', keysOf('payments'), () => seconds(skew))(await signedFor('payments'))

test.for([-400, -90, -5, 0, 5, 70, 90, 149])(
  'a token is accepted by a clock that is %d s from its issuer',
  async (skew) => {
    expect(await verifiedAt(skew)).toMatchObject({ service: 'gateway', principal: claims.principal })
  },
)

test('a token is refused once it has ended by more than 90 s, and the refusal says that clocks differ', async () => {
  const refusal = expect.objectContaining({
    code: 'unauthorized',
    options: expect.objectContaining({
      detail: 'The internal token ended 91 s ago by the clock of payments: compare the clocks.',
    }),
  })
  await expect(verifiedAt(151)).rejects.toEqual(refusal)
})

test('a token that was verified is accepted again until then, and not for longer', async () => {
  let now = seconds(80)
  const verify = openTokenVerifier('payments', keysOf('payments'), () => now)
  const request = await signedFor('payments')
  const first = await verify(request)
  expect(await verify(request)).toBe(first)
  now = seconds(149)
  expect(await verify(request)).toEqual(first)
})

test('only accounts learns the contact of a site, and only webhook-delivery its address for webhooks', async () => {
  const verifyFor = async (audience: 'accounts' | 'payments' | 'webhook-delivery') => {
    return (await openTokenVerifier(audience, keysOf(audience), () => start)(await signedFor(audience))).site
  }
  const { emailAddress, phoneNumber, webhookUrl, ...facts } = claims.site ?? {}
  expect(await verifyFor('accounts')).toEqual({ ...facts, emailAddress, phoneNumber })
  expect(await verifyFor('webhook-delivery')).toEqual({ ...facts, webhookUrl })
  expect(await verifyFor('payments')).toEqual(facts)
})
