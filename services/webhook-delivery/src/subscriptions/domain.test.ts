import { ProblemError } from '@frontdesk/problems'
import { expect, test } from 'vitest'
import { parsePorts, parseTargets } from '../guard/targets.ts'
import { checkHeaders, checkUrl, isFailingForGood, type UrlRules } from './domain.ts'
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

function details(act: () => unknown): string[] {
  try {
    act()
  } catch (error) {
    if (error instanceof ProblemError) return error.options.errors?.map(({ detail }) => detail) ?? []
    throw error
  }
  throw new Error('nothing was refused')
}

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

const none = { given: undefined, ofClient: undefined, ofSite: undefined }

test('the given URL is used, else that of the client, else that of the site; without any it is missing', () => {
  const all = { given: 'https://a.example/x#part', ofClient: 'https://b.example', ofSite: 'https://c.example' }
  expect(checkUrl(all, rules)).toBe('https://a.example/x')
  expect(checkUrl({ ...all, given: undefined }, rules)).toBe('https://b.example/')
  expect(checkUrl({ ...none, ofSite: all.ofSite }, rules)).toBe('https://c.example/')
  expect(refusal(() => checkUrl(none, rules))).toEqual({ code: 'webhook_url_missing', pointers: ['/Url'] })
})

test('the refusal of an address that the request did not name says whose it is', () => {
  expect(details(() => checkUrl({ ...none, ofClient: 'http://b.example/' }, rules))).toEqual([
    'of your client, http://b.example/, must be https',
  ])
  expect(details(() => checkUrl({ ...none, ofSite: 'http://c.example/' }, rules))).toEqual([
    'WebhookUrl of the site, http://c.example/, must be https',
  ])
})

const checkGiven = (given: string, by: UrlRules) => checkUrl({ ...none, given }, by)

test.each([
  'http://a.example/',
  'ftp://a.example/',
  'https://user:pw@a.example/',
  'https://user@a.example/',
  'https://',
  'no url',
])('%s is refused as a URL', (url) => {
  expect(refusal(() => checkGiven(url, rules))).toEqual({ code: 'webhook_url_refused', pointers: ['/Url'] })
})

test('plain HTTP and loopback are allowed in development only', () => {
  expect(checkGiven('http://127.0.0.1:8080/hook', { ...rules, allowHttp: true, allowLoopback: true })).toBe(
    'http://127.0.0.1:8080/hook',
  )
  expect(refusal(() => checkGiven('http://10.0.0.1/', { ...rules, allowHttp: true, allowLoopback: true })).code).toBe(
    'webhook_url_refused',
  )
})

test('only the ports that an operator has opened are taken, except on loopback in development', () => {
  expect(checkGiven('https://a.example:8443/', rules)).toBe('https://a.example:8443/')
  for (const url of ['https://a.example:22/', 'https://93.184.215.14:6379/', 'https://a.example:8444/'])
    expect(refusal(() => checkGiven(url, rules))).toEqual({ code: 'webhook_url_refused', pointers: ['/Url'] })
  const development = { ...rules, allowHttp: true, allowLoopback: true }
  expect(refusal(() => checkGiven('http://a.example:8080/', development)).code).toBe('webhook_url_refused')
  expect(checkGiven('http://localhost:8080/', development)).toBe('http://localhost:8080/')
})

test('an operator opens receivers inside and closes hosts and ranges; closing wins', () => {
  const own = {
    ...rules,
    opened: parseTargets('10.1.0.0/16'),
    closed: parseTargets('bad.example, 10.1.9.0/24, 8.8.8.8'),
  }
  expect(checkGiven('https://10.1.2.3/', own)).toBe('https://10.1.2.3/')
  for (const url of [
    'https://10.2.2.3/',
    'https://10.1.9.1/',
    'https://8.8.8.8/',
    'https://a.BAD.example./',
    'https://bad.example/',
  ])
    expect(refusal(() => checkGiven(url, own))).toEqual({ code: 'webhook_url_refused', pointers: ['/Url'] })
  expect(checkGiven('https://notbad.example/', own)).toBe('https://notbad.example/')
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
