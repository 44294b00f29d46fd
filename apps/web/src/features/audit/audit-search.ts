import type { AuditEntry } from '@agency/contract/types'
import { day, dayWords } from '../../lib/day-field.ts'
import { chipsOf, chosenOf } from '../../lib/list/define-list.ts'
import { oneOf, type StateOf, text } from '../../lib/search-state.ts'
import { actorLabels, outcomeChips } from './audit-words.ts'

const actorTypes = Object.keys(actorLabels) as AuditEntry['actor_type'][]
const outcomes = Object.keys(outcomeChips) as AuditEntry['outcome'][]

export const auditSearch = {
  search: text(),
  actor_type: oneOf(['', ...actorTypes], ''),
  actor: text(),
  action: text(),
  resource: text(),
  resource_id: text(),
  outcome: oneOf(['', ...outcomes], ''),
  address: text(),
  from: day(),
  to: day(),
  open: text('', { keepsPage: true }),
}
export type AuditSearch = StateOf<typeof auditSearch>

export const auditFilters = [
  'search',
  'actor_type',
  'actor',
  'action',
  'resource',
  'resource_id',
  'outcome',
  'address',
  'from',
  'to',
] as const

/** A search that is shorter finds nearly everything, slowly; the server refuses it. */
export const minSearch = 3

/** The filters as the list and the exports take them. */
export function filtersOf(state: AuditSearch) {
  const filters = chosenOf(auditSearch, state, auditFilters)
  return { ...filters, search: state.search.length < minSearch ? undefined : filters.search }
}

export const auditChips = (state: AuditSearch, rows: readonly AuditEntry[] | undefined) =>
  chipsOf(auditSearch, state, {
    actor_type: (type) => `Actor: ${actorLabels[type]}`,
    actor: (id) => `By: ${rows?.find((each) => each.user_id === id)?.user_name ?? id}`,
    action: (action) => `Action: ${action}`,
    resource: (resource) => `Resource: ${resource}`,
    resource_id: (id) => `Resource ID: ${id}`,
    outcome: (outcome) => `Outcome: ${outcomeChips[outcome].label}`,
    address: (address) => `Address: ${address}`,
    from: (from) => `From ${dayWords(from)}`,
    to: (to) => `Up to ${dayWords(to)}`,
  })
