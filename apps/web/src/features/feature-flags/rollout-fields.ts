import type * as featureFlags from '@agency/contract/descriptors/feature-flags'
import type { FeatureFlag, RolloutUnit } from '@agency/contract/types'
import type { Input } from '../../lib/api.ts'
import type { Problems } from '../../lib/form/use-edit-form.ts'
import { fieldToMoment } from '../../lib/format-time.ts'
import { percentageProblem, readPercentage } from './flag-fields.ts'

export type StepFields = { does: 'on' | 'off'; percentage: string; wait: string; unit: 'minutes' | 'hours' | 'days' }
export type RolloutFields = { startsAt: string; by: RolloutUnit; needsGreen: boolean; steps: StepFields[] }

type Terms = Omit<Input<typeof featureFlags.startFlagRollout>['body'], 'version'>

const minutesIn = { minutes: 1, hours: 60, days: 1440 } as const
export const waitUnits = Object.keys(minutesIn).map((value) => ({ value, label: value }))
const longestMinutes = 90 * 1440

export const nextStep = (steps: readonly StepFields[]): StepFields => {
  const last = steps.at(-1)
  const percentage = last === undefined ? 10 : Math.min(100, (readPercentage(last.percentage) ?? 50) * 2 || 10)
  return { does: 'on', percentage: String(percentage), wait: steps.length === 0 ? '0' : '1', unit: 'days' }
}

export const newRollout = ({ rollout_by, enabled, rollout_percentage }: FeatureFlag): RolloutFields => {
  const reached = enabled ? rollout_percentage : 0
  const percentages = [10, 25, 50, 100].filter((percentage) => percentage > reached)
  const steps = (percentages.length > 0 ? percentages : [100]).map((percentage, index) => ({
    ...{ does: 'on' as const, percentage: String(percentage), wait: index === 0 ? '0' : '1', unit: 'days' as const },
  }))
  return { startsAt: '', by: rollout_by, needsGreen: true, steps }
}

/** Undefined for what is no wait. */
function minutesOf({ wait, unit }: StepFields): number | undefined {
  const minutes = /^\d{1,6}$/.test(wait.trim()) ? Number(wait) * minutesIn[unit] : longestMinutes + 1
  return minutes <= longestMinutes ? minutes : undefined
}

function stepProblem(step: StepFields, index: number): string | undefined {
  if (step.does === 'on' && readPercentage(step.percentage) === undefined) return percentageProblem
  return index > 0 && minutesOf(step) === undefined ? 'Enter a wait of 90 days at most' : undefined
}

export function rolloutProblems({ startsAt, steps }: RolloutFields): Problems<RolloutFields> {
  const wrong = steps.map(stepProblem).find((problem) => problem !== undefined)
  return {
    startsAt: startsAt !== '' && fieldToMoment(startsAt) === null ? 'Enter a day and a time' : undefined,
    steps: steps.length === 0 ? 'Add a step' : wrong,
  }
}

/** A step that switches off leaves the percentage as the step before it did. */
export function rolloutTerms({ startsAt, by, needsGreen, steps }: RolloutFields, reached: number): Terms {
  let percentage = reached
  return {
    ...{ starts_at: fieldToMoment(startsAt)?.toISOString() ?? null, rollout_by: by, needs_green: needsGreen },
    steps: steps.map((step, index) => {
      if (step.does === 'on') percentage = readPercentage(step.percentage) ?? percentage
      const wait_minutes = index === 0 ? 0 : (minutesOf(step) ?? 0)
      return { enabled: step.does === 'on', rollout_percentage: percentage, wait_minutes }
    }),
  }
}
