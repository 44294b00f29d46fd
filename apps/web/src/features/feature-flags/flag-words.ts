import type {
  FeatureFlag,
  FlagAudience,
  FlagGuard,
  FlagKind,
  FlagStage,
  FlagViewer,
  RolloutUnit,
} from '@agency/contract/types'
import type { Tone } from '../../theme/palette.ts'

type Chip = { label: string; tone: Tone }

export const stageChips: Record<FlagStage, Chip> = {
  new: { label: 'New', tone: 'neutral' },
  rollout: { label: 'Rolling out', tone: 'info' },
  everyone: { label: 'On for everyone', tone: 'success' },
  off: { label: 'Off', tone: 'neutral' },
  archived: { label: 'Archived', tone: 'neutral' },
}

export const viewerChips: Record<FlagViewer['sees'], Chip> = {
  yes: { label: 'Sees it', tone: 'success' },
  part: { label: 'In part', tone: 'info' },
  no: { label: 'Does not', tone: 'neutral' },
}

export const rolloutChips: Record<NonNullable<FeatureFlag['rollout']>['state'], Chip> = {
  running: { label: 'Running', tone: 'info' },
  paused: { label: 'Paused', tone: 'warning' },
  done: { label: 'Done', tone: 'success' },
  cancelled: { label: 'Cancelled', tone: 'neutral' },
  failed: { label: 'Failed', tone: 'error' },
}

export const unitTexts: Record<RolloutUnit, string> = {
  visitor: 'visitors',
  site: 'sites',
  customer: 'customers',
  revenue: 'customers, lowest revenue first',
}

export const unitChoices: { value: RolloutUnit; label: string }[] = [
  { value: 'visitor', label: 'Visitors of sites' },
  { value: 'site', label: 'Sites' },
  { value: 'customer', label: 'Customers' },
  { value: 'revenue', label: 'Customers, lowest revenue first' },
]

export const kindTexts: Record<FlagKind, string> = {
  release: 'Release (up to 40 days)',
  experiment: 'Experiment (up to 40 days)',
  operational: 'Operational (up to 7 days)',
  permanent: 'Permanent',
}
export const kindChoices = (Object.entries(kindTexts) as [FlagKind, string][]).map(([value, label]) => ({
  value,
  label,
}))

/** `10% of visitors` */
export const percentageText = ({ rollout_percentage, rollout_by }: FeatureFlag): string =>
  `${rollout_percentage}% of ${unitTexts[rollout_by]}`

export function audienceText({ customers, sites, plans, domains }: FlagAudience): string | null {
  const parts = [
    ...customers.map(({ name }) => name),
    ...sites.map(({ name }) => name),
    ...plans.map(({ name }) => `plan ${name}`),
    ...domains,
  ]
  return parts.length === 0 ? null : parts.join(', ')
}

const some = (count: number, one: string): string => `${count} ${one}${count === 1 ? '' : 's'}`

export function guardText(guard: FlagGuard | null): string {
  if (guard === null) return 'None'
  const { sites, errors, refunds, switches_off } = guard
  const limits = [
    sites === null ? null : `${some(sites, 'site')} with trouble`,
    errors === null ? null : some(errors, 'server error'),
    refunds === null ? null : some(refunds, 'refund'),
  ].filter((limit) => limit !== null)
  return `${limits.join(' or ')}: ${switches_off ? 'switch off and pause the rollout' : 'pause the rollout'}`
}

export const actionLabels: Record<string, string> = {
  create: 'Added',
  update: 'Changed',
  step: 'Rollout step',
  revert: 'Reverted',
  archive: 'Archived',
  restore: 'Restored',
  start_rollout: 'Rollout started',
  pause_rollout: 'Rollout paused',
  resume_rollout: 'Rollout resumed',
  cancel_rollout: 'Rollout cancelled',
}

/** Why the percentage cannot be changed by hand now. */
export const rolloutBlock = ({ rollout }: FeatureFlag): string | undefined =>
  rollout?.state === 'running' || rollout?.state === 'paused'
    ? 'A rollout sets the percentage. Cancel the rollout first'
    : undefined
