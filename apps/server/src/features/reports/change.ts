import type { Change } from '@agency/contract/types'

/** A figure against the compared one, in percent with one decimal; null where there was nothing. */
export function changeOf(
  current: number | null,
  compared: number | null,
  { definition, reason = null }: { definition: string; reason?: string | null },
): Change {
  const percent =
    current === null || compared === null || compared === 0
      ? null
      : Math.round(((current - compared) / Math.abs(compared)) * 1000) / 10
  return { current, compared, percent, reason: current === null ? reason : null, definition }
}
