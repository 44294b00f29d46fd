import { randomFrom } from '../../world/random.ts'
import type { RecordResponse, Zone } from '../types.ts'
import { hexId } from './ids.ts'

type Line = [type: RecordResponse['type'], host: string, content: string, more?: Record<string, unknown>]

const base64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

/** As the specification of DNS demands: strings of at most 255 characters, each in quotes. */
const quoted = (text: string) => (text.match(/.{1,255}/gs) ?? ['']).map((part) => `"${part}"`).join(' ')

const hostile: Line[] = [
  ['TXT', 'xss', quoted('<script>alert(document.domain)</script>')],
  ['TXT', 'formula', quoted("=cmd|' /C calc'!A0"), { comment: '=HYPERLINK("javascript:alert(1)")' }],
  ['TXT', 'rtl', quoted('\u202Etxt.exe\u202C \u0007bell \u001b[31mred')],
  ['CNAME', 'link', 'javascript.alert-1.example', { comment: '"><img src=x onerror=alert(1)>', proxied: false }],
]

function linesOf(zone: Zone, seed: string): Line[] {
  const random = randomFrom(`${seed} records ${zone.name}`)
  const address = `198.51.100.${random.int(1, 254)}`
  const lines: Line[] = [
    ['A', '', address, { proxied: true }],
    ['AAAA', '', `2001:db8::${random.text(4, '0123456789abcdef')}`, { proxied: true }],
    ['CNAME', 'www', zone.name, { proxied: true }],
    ['MX', '', 'mx1.mailharbor.example', { priority: 10 }],
    ['MX', '', 'mx2.mailharbor.example', { priority: 20 }],
    ['TXT', '', quoted('v=spf1 include:spf.mailharbor.example -all')],
    ['TXT', '_dmarc', quoted(`v=DMARC1; p=quarantine; rua=mailto:dmarc@${zone.name}`)],
    ['TXT', 'harbor._domainkey', quoted(`v=DKIM1; k=rsa; p=${random.text(392, base64)}`)],
    ['CAA', '', '0 issue "letsencrypt.org"', { data: { flags: 0, tag: 'issue', value: 'letsencrypt.org' } }],
  ]
  if (random.chance(0.4)) lines.push(['NS', 'shop', 'ns1.shop-host.example'], ['NS', 'shop', 'ns2.shop-host.example'])
  if (random.chance(0.15)) lines.push(['TXT', 'long', quoted(random.text(4000, base64))])
  if (zone.name === 'bobbytables.example' || zone.name.includes('<img')) lines.push(...hostile)
  return lines
}

export function recordsOf(zone: Zone, seed: string): RecordResponse[] {
  return linesOf(zone, seed).map(([type, host, content, more], index) => {
    const record = {
      id: hexId(seed, `record ${zone.name} ${index}`),
      name: host === '' ? zone.name : `${host}.${zone.name}`,
      type,
      content,
      proxiable: type === 'A' || type === 'AAAA' || type === 'CNAME',
      proxied: false,
      ttl: type === 'NS' ? 86_400 : 1,
      settings: {},
      meta: {},
      comment: null,
      tags: [],
      created_on: zone.created_on,
      modified_on: zone.modified_on,
      ...more,
    }
    // The union of all record types cannot be built field by field.
    return record as unknown as RecordResponse
  })
}
