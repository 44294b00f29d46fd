import type * as zoneSettings from '@agency/contract/descriptors/zone-settings'
import type { ZoneSettingName } from '@agency/contract/types'
import type { ResponseOf } from '../../../lib/api.ts'
import { formatCount } from '../../../lib/format.ts'

export type Sites = Pick<ResponseOf<typeof zoneSettings.listZoneSettings>, 'sites' | 'sites_total'>

const onOff = { on: 'On', off: 'Off' }
const words: Record<ZoneSettingName, { label: string; values: Record<string, string> }> = {
  paused: { label: 'Cloudflare status', values: { off: 'Active', on: 'Paused' } },
  ssl: {
    label: 'SSL mode',
    values: { off: 'Off', flexible: 'Flexible', full: 'Full', strict: 'Full (strict)' },
  },
  always_use_https: { label: 'HTTPS redirect', values: onOff },
  min_tls_version: {
    label: 'Minimum TLS version',
    values: { '1.0': 'TLS 1.0', '1.1': 'TLS 1.1', '1.2': 'TLS 1.2', '1.3': 'TLS 1.3' },
  },
}
/** Cloudflare's own names for what can only be set there. */
const elsewhere: Record<string, string> = { origin_pull: 'Strict (origin pull)' }

export const settingLabel = (name: ZoneSettingName): string => words[name].label
export const valueLabel = (name: ZoneSettingName, value: string): string =>
  words[name].values[value] ?? elsewhere[value] ?? value

/** What can be chosen instead of what stands, the safest last. */
export const otherValues = (name: ZoneSettingName, value: string): string[] =>
  Object.keys(words[name].values).filter((each) => each !== value)

const effects: Record<ZoneSettingName, Record<string, string[]>> = {
  paused: {
    on: ['Visitors reach the servers directly, without cache and protection', 'Cloudflare counts no traffic meanwhile'],
    off: ['Proxied records go through Cloudflare again'],
  },
  ssl: {
    off: ['Visitors cannot use HTTPS; browsers call the site not secure'],
    flexible: [
      'Between Cloudflare and the server nothing is encrypted',
      'A server that redirects to HTTPS itself redirects for ever',
    ],
    full: ['Encrypted all the way; the certificate of the server is not checked'],
    strict: ['Encrypted all the way', 'Visitors see error 526 if the server has no valid certificate'],
  },
  always_use_https: {
    on: ['Addresses with http:// redirect to https://'],
    off: ['Addresses with http:// are answered without encryption, unless the server redirects'],
  },
  min_tls_version: {
    '1.0': ['Accepts outdated encryption'],
    '1.1': ['Refuses browsers and apps that only know TLS 1.0'],
    '1.2': ['Refuses browsers and apps that only know TLS 1.1 or older'],
    '1.3': ['Refuses browsers and apps that only know TLS 1.2 or older'],
  },
}

const mostNames = 5

function sitesText({ sites, sites_total }: Sites): string {
  if (sites_total === 0) return 'No sites affected'
  const names = sites.slice(0, mostNames).map(({ site_name }) => site_name)
  const rest = sites_total - names.length
  return `Affects ${names.join(', ')}${rest > 0 ? ` and ${formatCount(rest)} more` : ''}`
}

/** What a value does, a sentence each. */
export const effectsOf = (name: ZoneSettingName, value: string, sites: Sites): string[] => [
  ...(effects[name][value] ?? []),
  sitesText(sites),
  'Can be undone for an hour, until something else of this domain is changed',
]

/** Verb and object of the button. */
export function actText(name: ZoneSettingName, value: string): string {
  if (name === 'paused') return value === 'on' ? 'Pause Cloudflare' : 'Resume Cloudflare'
  if (name === 'always_use_https') return value === 'on' ? 'Turn on redirect' : 'Turn off redirect'
  return `Set to ${valueLabel(name, value)}`
}

/** What takes protection away. */
export const isRisky = (name: ZoneSettingName, value: string): boolean =>
  (name === 'paused' && value === 'on') || (name === 'ssl' && value === 'off')
