import ipaddr from 'ipaddr.js'

export interface AddressRules {
  /** Whether 127.0.0.0/8 and ::1 may be reached: development and tests. */
  allowLoopback: boolean
}

const publicIPv6 = ipaddr.parseCIDR('2000::/3') as [ipaddr.IPv6, number]
// Global unicast by number, but not the open internet. Listed here, so that no update of a library can lose one.
const closedIPv6 = (
  [
    ['2001::/23', 'protocol assignments, Teredo and ORCHID'],
    ['2001:db8::/32', 'documentation'],
    ['2002::/16', '6to4'],
    ['3fff::/20', 'documentation'],
    ['2620:4f:8000::/48', 'AS112'],
  ] as const
).map(([range]) => ipaddr.parseCIDR(range) as [ipaddr.IPv6, number])
const closedIPv4 = [
  '192.0.0.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.175.48.0/24',
  '198.18.0.0/15',
].map((range) => ipaddr.parseCIDR(range) as [ipaddr.IPv4, number])

/**
 * Whether a delivery may go to an IP address, in any notation: only to the open internet. Loopback, private, link-local
 * (with the metadata services of clouds), carrier-grade NAT, unique local, multicast, documentation, benchmark, reserved,
 * and every form of IPv6 that carries an IPv4 address (mapped, 6to4, NAT64, Teredo) are refused.
 */
export function isAllowedAddress(address: string, { allowLoopback }: AddressRules): boolean {
  const text = address.replace(/^\[(.*)\]$/, '$1').replace(/%.*$/, '')
  if (!ipaddr.isValid(text)) return false
  const parsed = ipaddr.parse(text)
  if (parsed instanceof ipaddr.IPv6) {
    if (parsed.isIPv4MappedAddress()) return isAllowedAddress(parsed.toIPv4Address().toString(), { allowLoopback })
    if (parsed.range() === 'loopback') return allowLoopback
    return parsed.match(publicIPv6) && !closedIPv6.some((range) => parsed.match(range)) && parsed.range() === 'unicast'
  }
  if (parsed.range() === 'loopback') return allowLoopback
  return parsed.range() === 'unicast' && !closedIPv4.some((range) => parsed.match(range))
}

/** Whether a URL's host is an IP address, after URL has normalised it (`0x7f.1` to `127.0.0.1`). */
export function isLiteralAddress(hostname: string): boolean {
  return hostname.startsWith('[') || ipaddr.IPv4.isValidFourPartDecimal(hostname)
}

/** Whether a name always means this machine (RFC 6761). */
export function isLocalName(hostname: string): boolean {
  return /(^|\.)localhost\.?$/i.test(hostname)
}
