import type { PlanPromise, UptimePromise } from '@agency/contract/types'
import type { Problems } from '../../../lib/form/use-edit-form.ts'

/** As it is typed: up to three steps, empty ones are left out. */
export type PromiseFields = { percent: string; below: string[]; credit: string[] }

export const mostSteps = 3

const steps = Array.from({ length: mostSteps }, (_, index) => index)

/** What most hosts promise, for a plan that promises nothing yet. */
const usual: UptimePromise = {
  percent: 99.9,
  tiers: [
    { below: 99.9, credit_percent: 10 },
    { below: 99, credit_percent: 25 },
    { below: 95, credit_percent: 100 },
  ],
}

export function fieldsOf({ promise }: Pick<PlanPromise, 'promise'>): PromiseFields {
  const { percent, tiers } = promise ?? usual
  return {
    percent: String(percent),
    below: steps.map((step) => (tiers[step] ? String(tiers[step].below) : '')),
    credit: steps.map((step) => (tiers[step] ? String(tiers[step].credit_percent) : '')),
  }
}

const percent = (typed: string): number | null =>
  /^\d{1,2}(\.\d{1,3})?$/.test(typed.trim()) && Number(typed) > 0 ? Number(typed) : null
const whole = (typed: string): number | null => {
  const value = /^\d{1,3}$/.test(typed.trim()) ? Number(typed) : 0
  return value >= 1 && value <= 100 ? value : null
}

/** What was typed as a promise, or what is wrong with it, by field. */
export function readPromise(fields: PromiseFields): { promise?: UptimePromise; problems: Problems<PromiseFields> } {
  const problems: Record<string, string> = {}
  const promised = percent(fields.percent)
  if (promised === null) problems['percent'] = 'Enter a percentage below 100, such as 99.9'
  const tiers: UptimePromise['tiers'] = []
  for (const step of steps) {
    const [typedBelow = '', typedCredit = ''] = [fields.below[step], fields.credit[step]]
    if (typedBelow.trim() === '' && typedCredit.trim() === '') continue
    const below = percent(typedBelow)
    const credit = whole(typedCredit)
    const before = tiers.at(-1)
    if (below === null) problems[`below.${step}`] = 'Enter a percentage below 100'
    else if (promised !== null && below > promised) problems[`below.${step}`] = 'Must not be above the promise'
    else if (before && below >= before.below) problems[`below.${step}`] = 'Must be lower than the step before'
    if (credit === null) problems[`credit.${step}`] = 'Enter 1 to 100'
    else if (before && credit <= before.credit_percent) problems[`credit.${step}`] = 'Must be more than the step before'
    if (below !== null && credit !== null) tiers.push({ below, credit_percent: credit })
  }
  if (tiers.length === 0 && Object.keys(problems).length === 0) problems['below.0'] = 'Enter at least one step'
  return Object.keys(problems).length > 0 || promised === null
    ? { problems: problems as Problems<PromiseFields> }
    : { promise: { percent: promised, tiers }, problems: {} }
}

export const promiseText = ({ promise }: Pick<PlanPromise, 'promise'>): string =>
  promise === null ? 'None' : `${promise.percent}% a month`
