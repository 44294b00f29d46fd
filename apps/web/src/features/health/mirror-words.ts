import type * as mirror from '@agency/contract/descriptors/mirror'
import type { ImportProgress } from '@agency/contract/types'
import type { ResponseOf } from '../../lib/api.ts'
import { formatCount } from '../../lib/format.ts'
import type { Tone } from '../../theme/palette.ts'

type Chip = { label: string; tone: Tone }

export type DriftReport = ResponseOf<typeof mirror.listDriftReports>['reports'][number]
export type DeadEvent = ResponseOf<typeof mirror.listDeadEvents>['events'][number]

export const importChips: Record<ImportProgress['state'], Chip> = {
  running: { label: 'Running', tone: 'info' },
  done: { label: 'Complete', tone: 'success' },
  failed: { label: 'Failed', tone: 'error' },
  cancelled: { label: 'Cancelled', tone: 'neutral' },
}

export const stepChips: Record<ImportProgress['steps'][number]['state'], Chip> = {
  waiting: { label: 'Waiting', tone: 'neutral' },
  running: { label: 'Running', tone: 'info' },
  done: { label: 'Complete', tone: 'success' },
}

export const driftKinds: Record<DriftReport['kind'], string> = {
  events: 'Recent events',
  walk: 'All records',
}

const runChips: Record<DriftReport['state'], Chip> = {
  running: { label: 'Running', tone: 'info' },
  done: { label: 'No differences', tone: 'success' },
  failed: { label: 'Failed', tone: 'error' },
}

/** How a comparison with Stripe ended. */
export function driftChip({ state, differed, repaired }: DriftReport): Chip {
  if (state !== 'done' || differed === 0) return runChips[state]
  if (repaired < differed) return { label: `${formatCount(differed - repaired)} not fixed`, tone: 'error' }
  return { label: `${formatCount(differed)} fixed`, tone: 'warning' }
}

/** The part of an import that is done, by its steps; undefined while there are none. */
export function importShare({ steps }: Pick<ImportProgress, 'steps'>): number | undefined {
  return steps.length === 0 ? undefined : steps.filter(({ state }) => state === 'done').length / steps.length
}

/** `payment_method` as `Payment method`. */
export function objectName(object: string): string {
  const words = object.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
