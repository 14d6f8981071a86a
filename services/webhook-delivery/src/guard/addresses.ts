import ipaddr from 'ipaddr.js'
import { holdsAddress, type Ports, type Targets } from './targets.ts'

export interface AddressRules {
  /** Whether 127.0.0.0/8 and ::1 may be reached: development and tests. */
  allowLoopback: boolean
  /** What the operator opens though the rules close it: receivers in a network of ours. */
  opened?: Targets
  /** What the operator closes: it wins over everything else. */
  closed?: Targets
}

/** Where connections may go. */
export interface TargetRules extends AddressRules {
  /** The ports that deliveries may use, except on loopback. */
  ports: Ports
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
  // Public by number, but inside of a cloud they lead to its own services: Azure's platform, IBM's service network,
  // Google's private interfaces.
  '168.63.129.16/32',
  '161.26.0.0/16',
  '166.8.0.0/14',
  '199.36.153.0/24',
].map((range) => ipaddr.parseCIDR(range) as [ipaddr.IPv4, number])

/**
 * Whether a delivery may go to an IP address, in any notation: only to the open internet. Loopback, private, link-local
 * (with the metadata services of clouds), carrier-grade NAT, unique local, multicast, documentation, benchmark, reserved,
 * the platform addresses of clouds, and every form of IPv6 that carries an IPv4 address (mapped, 6to4, NAT64, Teredo) are
 * refused. What the operator has opened or closed comes first.
 */
export function isAllowedAddress(address: string, rules: AddressRules): boolean {
  const { allowLoopback, opened, closed } = rules
  const text = address.replace(/^\[(.*)\]$/, '$1').replace(/%.*$/, '')
  if (!ipaddr.isValid(text)) return false
  const parsed = ipaddr.parse(text)
  if (parsed instanceof ipaddr.IPv6 && parsed.isIPv4MappedAddress())
    return isAllowedAddress(parsed.toIPv4Address().toString(), rules)
  if (closed !== undefined && holdsAddress(closed, parsed)) return false
  if (opened !== undefined && holdsAddress(opened, parsed)) return true
  if (parsed instanceof ipaddr.IPv6) {
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

/** Whether deliveries may use a port of a host: `port` as URLs have it, empty for the scheme's own. */
export function isAllowedPort(
  { hostname, protocol, port }: { hostname: string; protocol: string; port: string },
  { allowLoopback, ports }: TargetRules,
): boolean {
  const bare = hostname.replace(/^\[(.*)\]$/, '$1')
  if (allowLoopback && (isLocalName(bare) || /^127\.|^::1$/.test(bare))) return true
  const number = port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port)
  return ports.some(([first, last]) => first <= number && number <= last)
}
