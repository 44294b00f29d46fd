import type { Permission } from '@agency/contract/permissions'
import type { TimelineKind } from '@agency/contract/types'

/** Where entries of a kind come from: rows of a customer along an index that begins with the customer and ends with `at, id`. */
export type Source = {
  /** Stands in the ids of entries and in cursors. Ends with `.` and a word where a kind has several sources. */
  name: string
  kind: TimelineKind
  permission: Permission
  from: string
  /** Narrows to the customer, who is `$1`, as the index's own condition does. */
  where: string
  at: string
  id: string
  /** Ids that are numbers, compared as such. */
  hasNumbers?: true
  columns: Partial<Record<Column, string>>
}

/** Expressions over the row; what a kind does not know is null. */
export const columns = {
  /** What happened, where the kind knows several things: its words are chosen by it. */
  event: 'text',
  /** What it leads to, by its id. */
  object_id: 'text',
  status: 'text',
  amount: 'bigint',
  currency: 'text',
  actor: 'text',
  detail: 'text',
  is_live: 'boolean',
  /** What the states of one deed have in common in the audit log. */
  deed: 'text',
  /** What else it is found by. */
  words: 'text',
  /** The audit entry that is put into words. */
  audit: 'json',
} as const
export type Column = keyof typeof columns
