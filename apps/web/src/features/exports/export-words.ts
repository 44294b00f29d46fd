import type { Exported, ExportFormat, ExportState } from '@agency/contract/types'
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

function partsOf(parameters: Record<string, unknown>): string[] {
  return Object.entries(parameters).flatMap(([name, value]) => {
    if (value === null || value === undefined || value === '' || name === 'sort') return []
    if (typeof value === 'object') return partsOf(value as Record<string, unknown>)
    return [`${name.replaceAll('_', ' ')}: ${String(value)}`]
  })
}

/** By what the rows were chosen: 'status: active · country: DE'. */
export const filtersText = ({ parameters }: Exported): string => partsOf(parameters).join(' · ')

export const nameOf = (one: Exported): string => `${one.title} as ${formatLabels[one.format]}`
