import type { FlagRow } from './queries/flags.ts'
import { namedOf, type Rule } from './rollout.ts'

/** A flag as it is evaluated. */
export const ruleOf = (row: FlagRow): Rule => ({
  ...{ id: row.id, name: row.name, enabled: row.enabled, percentage: row.rollout_percentage, by: row.rollout_by },
  ...{ always: namedOf(row.always), never: namedOf(row.never), prerequisites: row.prerequisites },
})
