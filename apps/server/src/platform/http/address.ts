import { isIPv4, isIPv6 } from 'node:net'

/** Whom tries are counted for: an IPv4 address, or the /64 network of an IPv6 address, which belongs to one customer. */
export function addressGroup(address: string): string {
  const plain = address.replace(/%.*$/, '').replace(/^::ffff:(?=\d+\.)/i, '')
  if (isIPv4(plain) || !isIPv6(plain)) return plain
  const [head = '', tail] = plain.toLowerCase().split('::')
  const groups = head === '' ? [] : head.split(':')
  const after = tail ? tail.split(':') : []
  const missing = tail === undefined ? 0 : 8 - groups.length - after.length - (plain.includes('.') ? 1 : 0)
  const all = [...groups, ...Array<string>(Math.max(0, missing)).fill('0'), ...after]
  const network = all.slice(0, 4).map((group) => group.replace(/^0+(?=.)/, ''))
  return `${network.join(':')}::/64`
}
