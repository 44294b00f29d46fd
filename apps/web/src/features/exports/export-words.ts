import type { Exported, ExportFormat, ExportState } from '@agency/contract/types'
import { dayWords, isDay } from '../../lib/day-field.ts'
import { spanWords } from '../../lib/utc-days.ts'
import type { Tone } from '../../theme/palette.ts'

export const stateChips: Record<ExportState, { label: string; tone: Tone }> = {
  queued: { label: 'Queued', tone: 'info' },
  running: { label: 'Running', tone: 'info' },
  ready: { label: 'Ready', tone: 'success' },
  failed: { label: 'Failed', tone: 'error' },
  expired: { label: 'Expired', tone: 'neutral' },
  cancelled: { label: 'Cancelled', tone: 'neutral' },
}

export const formatLabels: Record<ExportFormat, string> = {
  csv: 'CSV',
  json: 'JSON',
  jsonl: 'JSON lines',
  xlsx: 'XLSX',
  pdf: 'PDF',
}

const spans = [
  ['from', 'to'],
  ['start_date', 'end_date'],
] as const

const isDayText = (value: unknown): value is string => typeof value === 'string' && isDay(value)

/** A state or a choice as it is said; ids and what somebody typed stay as they are. */
const wordsOf = (name: string, value: unknown): string => {
  if (isDayText(value)) return dayWords(value)
  const isOwnWord = name !== 'search' && !name.endsWith('id') && /^[a-z]+(_([a-z]+|\d+))*$/.test(String(value))
  return isOwnWord ? String(value).replaceAll('_', ' ') : String(value)
}

function partsOf(parameters: Record<string, unknown>): string[] {
  const { sort: _, ...rest } = parameters
  const parts: string[] = []
  for (const [first, last] of spans) {
    const [from, to] = [rest[first], rest[last]]
    if (!isDayText(from) || !isDayText(to)) continue
    parts.push(spanWords(from, to))
    delete rest[first]
    delete rest[last]
    if (rest['range'] === 'custom') delete rest['range']
  }
  for (const [name, value] of Object.entries(rest)) {
    if (value === null || value === undefined || value === '') continue
    if (typeof value === 'object') parts.push(...partsOf(value as Record<string, unknown>))
    else parts.push(`${name.replaceAll('_', ' ')}: ${wordsOf(name, value)}`)
  }
  return parts
}

/** By what the rows were chosen: 'status: active · country: DE'. */
export const filtersText = ({ parameters }: Exported): string => partsOf(parameters).join(' · ')

export const nameOf = (one: Exported): string => `${one.title} as ${formatLabels[one.format]}`
