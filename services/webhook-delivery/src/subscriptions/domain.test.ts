import { ProblemError } from '@frontdesk/problems'
import { expect, test } from 'vitest'
import { parsePorts, parseTargets } from '../guard/targets.ts'
import { checkEventTypes, checkHeaders, checkUrl, isFailingForGood } from './domain.ts'
import { labelsOf } from './wire.ts'

function refusal(act: () => unknown): { code: string; pointers: string[] } {
  try {
    act()
  } catch (error) {
    if (error instanceof ProblemError)
      return { code: error.code, pointers: error.options.errors?.map((fault) => fault.pointer) ?? [] }
    throw error
  }
  throw new Error('nothing was refused')
}

test('a caller can subscribe to the outcomes of payments, refunds and disputes, to changes of account status, to all of each, and to exact external types', () => {
  expect(() =>
    checkEventTypes([
      'payment.succeeded',
      'payment.failed',
      'payment.cancelled',
      'refund.succeeded',
      'refund.failed',
      'dispute.opened',
      'dispute.closed',
      'payment.*',
      'refund.*',
      'dispute.*',
      'account.status_changed',
      'account.*',
      'com.example.recall',
      'appointment.booked',
    ]),
  ).not.toThrow()
})

test('Internal events, unknown types of ours and patterns are refused, each by name', () => {
  const types = [
    'payment.succeeded',
    'payment.created',
    'payment.settled',
    'refund.created',
    'dispute.won',
    'site.*',
    'site.deleted',
    'payment.',
    'com.example.*',
    '*',
    'subscription.test',
    'delivery.exhausted',
    'provider.event.received',
    'organisation.deleted',
    'account.updated',
  ]
  expect(refusal(() => checkEventTypes(types))).toEqual({
    code: 'event_type_unknown',
    pointers: types.flatMap((_, index) => (index === 0 ? [] : [`/EventTypes/${index}`])),
  })
})

test('headers that deliveries set themselves are refused, in upper and lower case', () => {
  const names = [
    'X-Key',
    'Webhook-Id',
    'webhook-anything',
    'Content-Type',
    'content-md5',
    'HOST',
    'Connection',
    'Keep-Alive',
    'Proxy-Authorization',
    'TE',
    'Trailer',
    'Transfer-Encoding',
    'Upgrade',
    'Expect',
    'traceparent',
    'tracestate',
  ]
  expect(refusal(() => checkHeaders(names.map((Name) => ({ Name, Value: 'x' }))))).toEqual({
    code: 'webhook_header_refused',
    pointers: names.flatMap((_, index) => (index === 0 ? [] : [`/Headers/${index}/Name`])),
  })
  expect(() =>
    checkHeaders([
      { Name: 'Authorization', Value: 'Bearer x' },
      { Name: 'User-Agent', Value: 'x' },
    ]),
  ).not.toThrow()
})

const rules = { allowHttp: false, allowLoopback: false, ports: parsePorts('443,8443') }

test('the given URL is used, otherwise the registered one; without both it is missing', () => {
  expect(checkUrl('https://a.example/x#part', 'https://b.example', rules)).toBe('https://a.example/x')
  expect(checkUrl(undefined, 'https://b.example', rules)).toBe('https://b.example/')
  expect(refusal(() => checkUrl(undefined, undefined, rules))).toEqual({
    code: 'webhook_url_missing',
    pointers: ['/Url'],
  })
})

test.each([
  'http://a.example/',
  'ftp://a.example/',
  'https://user:pw@a.example/',
  'https://user@a.example/',
  'https://',
  'no url',
])('%s is refused as a URL', (url) => {
  expect(refusal(() => checkUrl(url, undefined, rules))).toEqual({ code: 'webhook_url_refused', pointers: ['/Url'] })
})

test('plain HTTP and loopback are allowed in development only', () => {
  expect(checkUrl('http://127.0.0.1:8080/hook', undefined, { ...rules, allowHttp: true, allowLoopback: true })).toBe(
    'http://127.0.0.1:8080/hook',
  )
  expect(
    refusal(() => checkUrl('http://10.0.0.1/', undefined, { ...rules, allowHttp: true, allowLoopback: true })).code,
  ).toBe('webhook_url_refused')
})

test('only the ports that an operator has opened are taken, except on loopback in development', () => {
  expect(checkUrl('https://a.example:8443/', undefined, rules)).toBe('https://a.example:8443/')
  for (const url of ['https://a.example:22/', 'https://93.184.215.14:6379/', 'https://a.example:8444/'])
    expect(refusal(() => checkUrl(url, undefined, rules))).toEqual({ code: 'webhook_url_refused', pointers: ['/Url'] })
  const development = { ...rules, allowHttp: true, allowLoopback: true }
  expect(refusal(() => checkUrl('http://a.example:8080/', undefined, development)).code).toBe('webhook_url_refused')
  expect(checkUrl('http://localhost:8080/', undefined, development)).toBe('http://localhost:8080/')
})

test('an operator opens receivers inside and closes hosts and ranges; closing wins', () => {
  const own = {
    ...rules,
    opened: parseTargets('10.1.0.0/16'),
    closed: parseTargets('bad.example, 10.1.9.0/24, 8.8.8.8'),
  }
  expect(checkUrl('https://10.1.2.3/', undefined, own)).toBe('https://10.1.2.3/')
  for (const url of [
    'https://10.2.2.3/',
    'https://10.1.9.1/',
    'https://8.8.8.8/',
    'https://a.BAD.example./',
    'https://bad.example/',
  ])
    expect(refusal(() => checkUrl(url, undefined, own))).toEqual({ code: 'webhook_url_refused', pointers: ['/Url'] })
  expect(checkUrl('https://notbad.example/', undefined, own)).toBe('https://notbad.example/')
})

test('the labels name the purpose of a subscription, its state, and why it is paused', () => {
  expect(labelsOf({ state: 'active', pauseReason: null })).toEqual(['payments', 'active'])
  expect(labelsOf({ state: 'paused', pauseReason: 'gone' })).toEqual(['payments', 'paused', 'gone'])
})

test('only a subscription that fails both long and often is paused', () => {
  const day = 86_400_000
  const now = new Date('2026-11-21T12:00:00Z')
  const ago = (days: number) => new Date(now.getTime() - days * day)
  const rule = { afterMs: 5 * day, attempts: 50 }
  expect(isFailingForGood({ since: ago(6), attempts: 50 }, now, rule)).toBe(true)
  expect(isFailingForGood({ since: ago(6), attempts: 49 }, now, rule)).toBe(false)
  expect(isFailingForGood({ since: ago(4), attempts: 500 }, now, rule)).toBe(false)
  expect(isFailingForGood({ since: null, attempts: 500 }, now, rule)).toBe(false)
})
