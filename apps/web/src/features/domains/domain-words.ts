import type { Domain, DomainSetting } from '@agency/contract/types'
import { wordLabel } from '../../lib/domain-status.ts'
import { formatAge } from '../../lib/format-time.ts'
import type { Tone } from '../../theme/palette.ts'

type Chip = { label: string; tone: Tone; title?: string }

const types: Record<string, string> = { full: 'Full', partial: 'Partial', secondary: 'Secondary', internal: 'Internal' }

export const typeText = (type: string | null): string | null =>
  type === null ? null : (types[type] ?? wordLabel(type))

const sslModes: Record<string, string> = {
  off: 'Off',
  flexible: 'Flexible',
  full: 'Full',
  strict: 'Full (strict)',
  origin_pull: 'Strict (origin pull)',
}
const dnssecStates: Record<string, string> = {
  active: 'Active',
  pending: 'Pending',
  disabled: 'Disabled',
  'pending-disabled': 'Being disabled',
  error: 'Error',
}

export type SettingKind = 'ssl' | 'dnssec'
const labels: Record<SettingKind, Record<string, string>> = { ssl: sslModes, dnssec: dnssecStates }

/** What is known; null when nothing is. */
export const settingText = (kind: SettingKind, { value }: DomainSetting): string | null =>
  value === null ? null : (labels[kind][value] ?? wordLabel(value))

const lacksRight = ({ problem }: DomainSetting): boolean => problem?.startsWith('No access') ?? false

/** What stands where nothing is known. */
export const unknownText = (setting: DomainSetting): string =>
  lacksRight(setting) ? 'No access' : setting.problem === null ? 'Not read yet' : 'Unavailable'

/** How old a value is, and why it is not newer. */
export function settingTitle(setting: DomainSetting, now = Date.now()): string {
  const age =
    setting.checked_at === null || setting.value === null ? null : `Updated ${formatAge(setting.checked_at, now)}`
  return [age, setting.problem].filter((part) => part !== null).join('. ') || 'Loads soon'
}

export const nameServerWords: Record<Domain['name_server_state'], Chip> = {
  expected: { label: 'As expected', tone: 'success' },
  other: { label: 'Not as expected', tone: 'error', title: 'The domain has moved away from Cloudflare' },
  waiting: { label: 'Not set yet', tone: 'info', title: 'Cloudflare waits for the registrar' },
  not_needed: { label: 'Not needed', tone: 'neutral', title: 'This setup uses other name servers' },
  unknown: { label: 'Unknown', tone: 'neutral' },
}
