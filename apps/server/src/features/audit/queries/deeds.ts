import type { Pool } from 'pg'
import { runStatement } from '../../../platform/statements.ts'
import { type EntryRow, entryColumns } from './columns.ts'

/** What the entries of one deed have in common, over an alias; null for an entry that is a deed of its own. */
export const deedOf = (alias: string): string =>
  `audit_deed(${alias}.action, ${alias}.resource_type, ${alias}.resource_id, ${alias}.request_id, ${alias}.after)`

/** How the deed of an entry stands by now. */
export const deedOutcomeOf = (alias: string): string =>
  `case when ${deedOf(alias)} is null then ${alias}.outcome
    else (select h.outcome from audit_entries h where h.id = audit_deed_head(${deedOf(alias)})) end`

/**
 * An entry stands for its deed if it is the first of those that match, so a line never moves between pages. A subselect
 * and no EXISTS: the planner would read all entries for it at once.
 */
export const isFirstOfDeed = (alias: string, matches: (alias: string) => readonly string[]): string =>
  `(${deedOf(alias)} is null or (
    select true from audit_entries f where ${deedOf('f')} = ${deedOf(alias)} and (f.at, f.id) < (${alias}.at, ${alias}.id)
      ${matches('f')
        .map((condition) => `and ${condition}`)
        .join(' ')} limit 1) is not true)`

export type DeedRow = EntryRow & { deed: string; is_head: boolean }

/** All entries of these deeds, from first to last. */
export async function findDeeds(pool: Pool, deeds: readonly string[]): Promise<Map<string, DeedRow[]>> {
  if (deeds.length === 0) return new Map()
  const rows = await runStatement<DeedRow>(pool, {
    text: `select ${deedOf('e')} as deed, e.id = audit_deed_head(${deedOf('e')}) as is_head, ${entryColumns}
      from audit_entries e where ${deedOf('e')} is not null and ${deedOf('e')} = any ($1) order by e.at, e.id`,
    values: [deeds],
    prepare: true,
  })
  return Map.groupBy(rows, ({ deed }) => deed)
}
