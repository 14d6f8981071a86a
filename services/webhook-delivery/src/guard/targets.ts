import ipaddr from 'ipaddr.js'

type Address = ipaddr.IPv4 | ipaddr.IPv6

/** Hosts and ranges of addresses, as an operator lists them. */
export interface Targets {
  /** In lower case; each stands for its subdomains too. */
  hosts: readonly string[]
  ranges: readonly [Address, number][]
}

/** Ports, as first and last of each range. */
export type Ports = readonly (readonly [number, number])[]

const hostForm = /^([a-z0-9_]([a-z0-9_-]*[a-z0-9_])?\.)*[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?$/

/** Reads `pms.example, 10.1.0.0/16, 192.0.2.7`: hosts with their subdomains, addresses, CIDR ranges. Throws RangeError. */
export function parseTargets(text: string): Targets {
  const hosts: string[] = []
  const ranges: [Address, number][] = []
  for (const entry of text.split(',').map((part) => part.trim().toLowerCase())) {
    if (entry === '') continue
    if (ipaddr.isValidCIDR(entry)) ranges.push(ipaddr.parseCIDR(entry))
    else if (ipaddr.IPv4.isValidFourPartDecimal(entry) || ipaddr.IPv6.isValid(entry)) {
      const address = ipaddr.parse(entry)
      ranges.push([address, address instanceof ipaddr.IPv4 ? 32 : 128])
    } else if (hostForm.test(entry) && !/^[0-9.]+$/.test(entry)) hosts.push(entry)
    else throw new RangeError(`not a host, an address or a CIDR range: ${entry}`)
  }
  return { hosts, ranges }
}

/** The form of a list of ports: `443,8000-8999`. */
export const portsPattern = String.raw`^\d{1,5}(-\d{1,5})?(\s*,\s*\d{1,5}(-\d{1,5})?)*$`

/** Reads a list of ports. */
export function parsePorts(text: string): Ports {
  return text.split(',').map((entry) => {
    const [first = '', last = first] = entry.trim().split('-')
    return [Number(first), Number(last)]
  })
}

/** Whether an address lies in one of the ranges. */
export function holdsAddress({ ranges }: Targets, address: Address): boolean {
  return ranges.some(([range, bits]) => range.kind() === address.kind() && address.match(range, bits))
}

/** Whether a name is one of the hosts, or below one. */
export function holdsHost({ hosts }: Targets, hostname: string): boolean {
  const name = hostname.toLowerCase().replace(/\.$/, '')
  return hosts.some((host) => name === host || name.endsWith(`.${host}`))
}
