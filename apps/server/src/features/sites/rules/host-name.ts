import { domainToASCII } from 'node:url'

const label = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/

/** A host name as the Domain Name System spells it, or null. Letters outside ASCII become punycode. */
export function hostName(text: string): string | null {
  const typed = text.trim().replace(/\.$/, '')
  // What a parser of addresses would read as something else than a name.
  if (/[\s/\\:@?#%[\]]/.test(typed)) return null
  const ascii = domainToASCII(typed)
  const labels = ascii.split('.')
  const isNamed = labels.length > 1 && !/^\d+$/.test(labels.at(-1) ?? '')
  return ascii.length <= 253 && isNamed && labels.every((one) => label.test(one)) ? ascii : null
}

/** What stands before a domain, or a whole host name. */
export function subdomainName(text: string): string | null {
  const whole = hostName(`${text.trim()}.example`)
  return whole === null ? null : whole.slice(0, -'.example'.length)
}
