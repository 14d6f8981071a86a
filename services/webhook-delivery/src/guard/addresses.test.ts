import { describe, expect, test } from 'vitest'
import { checkUrl } from '../subscriptions/domain.ts'
import { isAllowedAddress, isLocalName } from './addresses.ts'

const closed = { allowLoopback: false }

describe('addresses that deliveries may not reach', () => {
  test.each([
    ['unspecified', '0.0.0.0'],
    ['this network', '0.1.2.3'],
    ['loopback', '127.0.0.1'],
    ['loopback, all of it', '127.255.255.254'],
    ['private 10/8', '10.0.0.1'],
    ['private 172.16/12', '172.16.0.1'],
    ['private 172.16/12, its end', '172.31.255.255'],
    ['private 192.168/16', '192.168.1.1'],
    ['link-local', '169.254.0.1'],
    ['metadata of clouds', '169.254.169.254'],
    ['carrier-grade NAT', '100.64.0.1'],
    ['carrier-grade NAT, its end', '100.127.255.255'],
    ['protocol assignments', '192.0.0.1'],
    ['documentation 1', '192.0.2.1'],
    ['documentation 2', '198.51.100.1'],
    ['documentation 3', '203.0.113.1'],
    ['6to4 relays', '192.88.99.1'],
    ['benchmark', '198.18.0.1'],
    ['benchmark, its end', '198.19.255.255'],
    ['AS112', '192.31.196.1'],
    ['the platform of Azure', '168.63.129.16'],
    ['the platform of Azure, v4-mapped', '::ffff:168.63.129.16'],
    ['the platform of Alibaba', '100.100.100.200'],
    ['the platform of Oracle', '192.0.0.192'],
    ['the service network of IBM', '166.9.0.1'],
    ['private interfaces of Google', '199.36.153.8'],
    ['multicast', '224.0.0.1'],
    ['multicast, its end', '239.255.255.255'],
    ['reserved', '240.0.0.1'],
    ['broadcast', '255.255.255.255'],
    ['unspecified v6', '::'],
    ['loopback v6', '::1'],
    ['v4-mapped loopback', '::ffff:127.0.0.1'],
    ['v4-mapped private, in hexadecimal', '::ffff:0a00:0001'],
    ['v4-mapped metadata', '::ffff:169.254.169.254'],
    ['v4-compatible', '::127.0.0.1'],
    ['v4-translated', '::ffff:0:127.0.0.1'],
    ['NAT64', '64:ff9b::7f00:1'],
    ['NAT64 of a public address', '64:ff9b::808:808'],
    ['local NAT64', '64:ff9b:1::7f00:1'],
    ['discard', '100::1'],
    ['Teredo', '2001::1'],
    ['benchmark v6', '2001:2::1'],
    ['ORCHID', '2001:10::1'],
    ['ORCHID 2', '2001:20::1'],
    ['documentation v6', '2001:db8::1'],
    ['documentation v6, new', '3fff::1'],
    ['6to4 of loopback', '2002:7f00:1::'],
    ['6to4 of a public address', '2002:808:808::1'],
    ['unique local', 'fc00::1'],
    ['unique local fd', 'fd00:ec2::254'],
    ['link-local v6', 'fe80::1'],
    ['link-local v6 with a zone', 'fe80::1%eth0'],
    ['site-local', 'fec0::1'],
    ['multicast v6', 'ff02::1'],
    ['segment routing', '5f00::1'],
    ['not assigned', '4000::1'],
    ['in brackets', '[::1]'],
    ['no address', 'example.com'],
    ['empty', ''],
  ])('%s: %s', (_, address) => {
    expect(isAllowedAddress(address, closed)).toBe(false)
  })
})

test.each([
  '8.8.8.8',
  '1.1.1.1',
  '172.15.255.255',
  '172.32.0.1',
  '100.63.255.255',
  '100.128.0.1',
  '192.167.1.1',
  '198.17.0.1',
  '223.255.255.255',
  '2606:4700::1111',
  '2a00:1450:4001::200e',
  '::ffff:8.8.8.8',
])('%s is on the open internet', (address) => {
  expect(isAllowedAddress(address, closed)).toBe(true)
})

test('in development loopback is allowed in every notation, and no other closed address', () => {
  const open = { allowLoopback: true }
  for (const address of ['127.0.0.1', '127.1.2.3', '::1', '::ffff:127.0.0.1'])
    expect(isAllowedAddress(address, open), address).toBe(true)
  for (const address of ['10.0.0.1', '169.254.169.254', '0.0.0.0', '::', 'fd00::1'])
    expect(isAllowedAddress(address, open), address).toBe(false)
})

describe('URLs of closed addresses, in every notation', () => {
  test.each([
    'https://127.0.0.1/',
    'https://127.1/',
    'https://127.0.0.1./',
    'https://2130706433/',
    'https://0x7f000001/',
    'https://0x7f.1/',
    'https://0177.0.0.1/',
    'https://017700000001/',
    'https://127.0.0.1:8443/',
    'https://0/',
    'https://0.0.0.0/',
    'https://[::1]/',
    'https://[0:0:0:0:0:0:0:1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[::ffff:7f00:1]/',
    'https://[::ffff:169.254.169.254]/latest/meta-data',
    'https://169.254.169.254/latest/meta-data',
    'https://①②⑦.⓪.⓪.①/',
    'https://127。0。0。1/',
    'https://localhost/',
    'https://LOCALHOST/',
    'https://localhost./',
    'https://app.localhost/',
    'https://10.0.0.1/',
    'https://[fd00::1]/',
    'https://[fe80::1]/',
  ])('%s', (url) => {
    expect(() =>
      checkUrl(
        { given: url, ofClient: undefined, ofSite: undefined },
        { allowHttp: false, allowLoopback: false, ports: [[1, 65_535]] },
      ),
    ).toThrow('not allowed')
  })
})

test('localhost is recognised in every spelling', () => {
  for (const name of ['localhost', 'localhost.', 'a.localhost', 'LocalHost']) expect(isLocalName(name), name).toBe(true)
  for (const name of ['localhost.example.com', 'mylocalhost', 'example.com'])
    expect(isLocalName(name), name).toBe(false)
})
