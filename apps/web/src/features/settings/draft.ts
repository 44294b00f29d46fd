import type { Setting, SettingValue } from '@agency/contract/types'

/** What a field holds: its text, a switch's position, or null for the way back to the default. */
export type FieldValue = string | boolean | null
type Change = {
  field: FieldValue
  /** The version of the setting that the change was made on. */
  version: number
}
/** Changes that are not saved yet, by setting. */
export type Draft = Readonly<Record<string, Change>>

/** The field of a setting as it is saved. */
export function fieldOf({ kind }: Pick<Setting, 'kind'>, value: SettingValue): string | boolean {
  if (kind === 'switch') return value === true
  if (kind === 'secret' || value === null) return ''
  return Array.isArray(value) ? value.join('\n') : String(value)
}

/** The draft with a field changed; a field that says what is saved anyway is no change. */
export function withField(draft: Draft, setting: Setting, field: FieldValue): Draft {
  const { [setting.key]: before, ...others } = draft
  const same =
    field === null
      ? setting.source === 'default'
      : setting.kind === 'secret'
        ? field === ''
        : field === fieldOf(setting, setting.value)
  return same ? others : { ...others, [setting.key]: { field, version: before?.version ?? setting.version } }
}

export function withoutKey(draft: Draft, key: string): Draft {
  const { [key]: _, ...others } = draft
  return others
}

type Read = { value: SettingValue } | { problem: string }

const emailText = /^[^\s@,;]+@[^\s@,;]+\.[^\s@,;]+$/

/** The value that a field stands for, or what is wrong with it. */
export function readField(setting: Setting, field: FieldValue): Read {
  if (field === null || typeof field === 'boolean') return { value: field }
  const text = field.trim()
  if (setting.kind === 'emails') {
    const addresses = text.split(/[\s,;]+/).filter((part) => part !== '')
    const wrong = addresses.find((address) => !emailText.test(address))
    return wrong ? { problem: `${wrong} is not an email address` } : { value: addresses }
  }
  if (setting.kind === 'number' && text !== '') return readNumber(setting, text)
  return { value: text === '' ? null : text }
}

function readNumber({ min, max }: Setting, text: string): Read {
  const value = /^-?\d{1,9}$/.test(text) ? Number(text) : Number.NaN
  const low = min ?? Number.NEGATIVE_INFINITY
  const high = max ?? Number.POSITIVE_INFINITY
  if (value >= low && value <= high) return { value }
  if (min === null || max === null) return { problem: 'Enter a whole number' }
  return { problem: `Enter a whole number from ${min} to ${max}` }
}

/** The settings that are changed, in the order of the screen. */
export function changedOf(settings: readonly Setting[], draft: Draft): Setting[] {
  return settings.filter(({ key }) => draft[key] !== undefined)
}

/** Whether somebody else saved the setting after the change was begun. */
export function isOvertaken(setting: Setting, draft: Draft): boolean {
  const change = draft[setting.key]
  return change !== undefined && change.version !== setting.version
}

/** The draft as the call takes it, or what is wrong by setting. */
export function readDraft(settings: readonly Setting[], draft: Draft) {
  const problems: Record<string, string> = {}
  const changes: Record<string, SettingValue> = {}
  const versions: Record<string, number> = {}
  for (const setting of changedOf(settings, draft)) {
    const { field, version } = draft[setting.key]!
    const read = readField(setting, field)
    if ('problem' in read) problems[setting.key] = read.problem
    else changes[setting.key] = read.value
    versions[setting.key] = version
  }
  return { problems, changes, versions }
}
