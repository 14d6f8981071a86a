import { isIPv6 } from 'node:net'

/**
 * Returns the part of a caller's address by which it is limited: an IPv4 address, and the first 64 bits of an IPv6 address, of which
 * one subscriber has all.
 */
export function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  if (mapped !== undefined) return mapped
  const [bare = ''] = address.split('%', 1)
  if (!isIPv6(bare)) return address
  const [head = '', tail] = bare.toLowerCase().split('::')
  const groups = head === '' ? [] : head.split(':')
  if (tail !== undefined) {
    const rest = tail === '' ? [] : tail.split(':')
    // An address may end in dotted decimal, which stands for two groups.
    const missing = 8 - groups.length - rest.length - (tail.includes('.') ? 1 : 0)
    groups.push(...Array.from({ length: missing }, () => '0'), ...rest)
  }
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`
}
