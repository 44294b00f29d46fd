import { BlockList, isIP } from 'node:net'

const closed4: [string, number][] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
]

// The prefixes that carry an IPv4 address inside are closed as a whole: nobody's site is only there.
const closed6: [string, number][] = [
  ['::', 96],
  ['::ffff:0:0', 96],
  ['::ffff:0:0:0', 96],
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['100::', 64],
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
  ['5f00::', 16],
  ['fc00::', 7],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
]

// Two lists: in one, an IPv4 address would also be looked for among the IPv6 ones that map it.
const lists = { ipv4: new BlockList(), ipv6: new BlockList() }
for (const [net, prefix] of closed4) lists.ipv4.addSubnet(net, prefix, 'ipv4')
for (const [net, prefix] of closed6) lists.ipv6.addSubnet(net, prefix, 'ipv6')

/** Whether an IP address belongs to the public internet. What is not an address is not public. */
export function isPublicAddress(address: string): boolean {
  const plain = address.split('%', 1)[0] ?? ''
  const family = isIP(plain)
  if (family === 0) return false
  const kind = family === 4 ? 'ipv4' : 'ipv6'
  return !lists[kind].check(plain, kind)
}
