import type { ConnectionTest, Mail, Setting, SettingGroup, SettingValue } from '@agency/contract/types'
import { formatCount } from '../../lib/format.ts'
import { formatDateTime } from '../../lib/format-time.ts'
import type { Tone } from '../../theme/palette.ts'

type Chip = { label: string; tone: Tone; title?: string }

/** In the order in which they are listed. */
export const groupLabels: Record<SettingGroup, string> = {
  company: 'Company',
  sessions: 'Sessions',
  audit: 'Audit log',
  retention: 'Retention',
  mail: 'Mail',
  stripe: 'Stripe',
  cloudflare: 'Cloudflare',
}
export const groups = Object.keys(groupLabels) as SettingGroup[]

export type Integration = ConnectionTest['integration']
export const integrationOf: Partial<Record<SettingGroup, Integration>> = {
  mail: 'smtp',
  stripe: 'stripe',
  cloudflare: 'cloudflare',
}

export const connectionTones: Record<ConnectionTest['state'], Tone> = {
  not_configured: 'neutral',
  connected: 'success',
  lacking: 'warning',
  unreachable: 'error',
}

export const mailChips: Record<Mail['state'], Chip> = {
  queued: { label: 'Queued', tone: 'info', title: 'Waiting to be sent' },
  sent: { label: 'Sent', tone: 'success', title: 'Accepted by the mail server' },
  kept: { label: 'Not sent (no mail server)', tone: 'warning', title: 'Send again after setting a mail server' },
  failed: { label: 'Failed', tone: 'error', title: 'Rejected by the mail server' },
}

/** Where a setting's value comes from. */
export function sourceWords({ source, env, updated_at, updated_by }: Setting): string {
  if (source === 'environment') return `Fixed by the server (${env ?? ''})`.trim()
  if (source === 'default') return 'Default'
  return `Saved by ${updated_by ?? 'someone'}${updated_at ? `, ${formatDateTime(updated_at)}` : ''}`
}

/** A value as the list of changes and the history say it. */
export function valueWords(setting: Setting, value: SettingValue): string {
  if (setting.kind === 'secret') return value === null || value === false ? 'Not set' : 'Set'
  if (value === null) return 'None'
  if (typeof value === 'boolean') return value ? 'On' : 'Off'
  if (Array.isArray(value)) return value.length > 0 ? value.join(', ') : 'None'
  if (typeof value === 'number') return setting.unit ? `${formatCount(value)} ${setting.unit}` : formatCount(value)
  return setting.choices?.find((choice) => choice.value === value)?.label ?? (value || 'None')
}

/** A sentence of the server, which names settings by their keys. */
export function withLabels(sentence: string, settings: readonly Setting[]): string {
  return settings.reduce((words, { key, label }) => words.replaceAll(key, label), sentence)
}
