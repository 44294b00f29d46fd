import type { FlagKind, FlagStage } from '@agency/contract/feature-flags'
import type { FlagRow } from './queries/flags.ts'

const dayMs = 86_400_000
/** For how long a flag of its kind is expected to be there; null: for ever. */
const expectedDays: Record<FlagKind, number | null> = { release: 40, experiment: 40, operational: 7, permanent: null }
/** After so long without a change a flag that says the same to everybody has done its work. */
const settledDays = { everyone: 14, off: 30 }

type Facts = Pick<
  FlagRow,
  | 'enabled'
  | 'rollout_percentage'
  | 'never'
  | 'prerequisites'
  | 'archived_at'
  | 'first_enabled_at'
  | 'kind'
  | 'created_at'
  | 'updated_at'
>

export function stageOf(flag: Facts): FlagStage {
  if (flag.archived_at) return 'archived'
  if (!flag.enabled) return flag.first_enabled_at ? 'off' : 'new'
  const excludes = Object.values(flag.never).some((named) => named.length > 0)
  return flag.rollout_percentage === 100 && !excludes && flag.prerequisites.length === 0 ? 'everyone' : 'rollout'
}

/** Why somebody should look whether the flag can go; null: nobody need. */
export function staleness(flag: Facts, now: number): string | null {
  const expected = expectedDays[flag.kind]
  const stage = stageOf(flag)
  if (expected === null || stage === 'archived') return null
  const unchanged = Math.floor((now - flag.updated_at.getTime()) / dayMs)
  if (stage === 'everyone' && unchanged >= settledDays.everyone)
    return `On for everyone for ${unchanged} days: take the check out of the code, then archive the flag`
  if (stage === 'off' && unchanged >= settledDays.off)
    return `Off for ${unchanged} days: archive the flag if nobody needs it`
  const age = Math.floor((now - flag.created_at.getTime()) / dayMs)
  return age > expected ? `${age} days old, expected to be gone after ${expected}` : null
}
