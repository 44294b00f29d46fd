import type { Change } from '@agency/contract/types'
import { percentChange } from '../../platform/percent-change.ts'

/** A figure against the compared one, in percent with one decimal; null where there was nothing. */
export function changeOf(
  current: number | null,
  compared: number | null,
  { definition, reason = null }: { definition: string; reason?: string | null },
): Change {
  const percent = percentChange(current, compared)
  return { current, compared, percent, reason: current === null ? reason : null, definition }
}
