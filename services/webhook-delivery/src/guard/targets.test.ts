import { expect, test } from 'vitest'
import { parsePorts, parseTargets, portsPattern } from './targets.ts'

test('a list has hosts, addresses and ranges of both families', () => {
  const { hosts, ranges } = parseTargets(' PMS.example, 10.1.0.0/16,192.0.2.7 , fd00::/8, 2606:2800:21f::1')
  expect(hosts).toEqual(['pms.example'])
  expect(ranges.map(([address, bits]) => `${address.toString()}/${bits}`)).toEqual([
    '10.1.0.0/16',
    '192.0.2.7/32',
    'fd00::/8',
    '2606:2800:21f::1/128',
  ])
  expect(parseTargets('')).toEqual({ hosts: [], ranges: [] })
})

test.each(['10.0.0.0/40', '10.0.0', 'https://a.example', 'a b', '*.a.example', 'a.example:443', '::1/200'])(
  '%s is refused: a misread entry would open or close something else',
  (text) => {
    expect(() => parseTargets(text)).toThrow(RangeError)
  },
)

test('ports are numbers and ranges', () => {
  expect(parsePorts('443, 8000-8999')).toEqual([
    [443, 443],
    [8000, 8999],
  ])
  const form = new RegExp(portsPattern)
  expect(['443', '443,80', '1-65535'].every((text) => form.test(text))).toBe(true)
  expect(['', 'https', '443;80', '80-', '-1'].some((text) => form.test(text))).toBe(false)
})
