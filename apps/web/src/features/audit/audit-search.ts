import type { AuditEntry } from '@agency/contract/types'
import { day, dayWords } from '../../lib/day-field.ts'
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

export const noFilters = {
  search: '',
  actor_type: '',
  actor: '',
  action: '',
  resource: '',
  resource_id: '',
  outcome: '',
  address: '',
  from: '',
  to: '',
} as const satisfies Partial<AuditSearch>

/** A search that is shorter finds nearly everything, slowly; the server refuses it. */
export const minSearch = 3

/** The filters as the list and the exports take them. */
export function filtersOf(state: AuditSearch) {
  return {
    search: state.search.length < minSearch ? undefined : state.search,
    actor_type: state.actor_type || undefined,
    actor: state.actor || undefined,
    action: state.action || undefined,
    resource: state.resource || undefined,
    resource_id: state.resource_id || undefined,
    outcome: state.outcome || undefined,
    address: state.address || undefined,
    from: state.from || undefined,
    to: state.to || undefined,
  }
}

type FilterChip = { label: string; without: Partial<AuditSearch> }

/** What narrows the log, each with the change that takes it away. The search box shows its own text. */
export function chipsOf(state: AuditSearch, rows: readonly AuditEntry[] | undefined): FilterChip[] {
  const chips: FilterChip[] = []
  const add = (label: string, without: Partial<AuditSearch>) => chips.push({ label, without })
  if (state.actor_type) add(`Actor: ${actorLabels[state.actor_type]}`, { actor_type: '' })
  if (state.actor) {
    const row = rows?.find((each) => each.user_id === state.actor)
    add(`By: ${row?.user_name ?? state.actor}`, { actor: '' })
  }
  if (state.action) add(`Action: ${state.action}`, { action: '' })
  if (state.resource) add(`Resource: ${state.resource}`, { resource: '' })
  if (state.resource_id) add(`Resource ID: ${state.resource_id}`, { resource_id: '' })
  if (state.outcome) add(`Outcome: ${outcomeChips[state.outcome].label}`, { outcome: '' })
  if (state.address) add(`Address: ${state.address}`, { address: '' })
  if (state.from) add(`From ${dayWords(state.from)}`, { from: '' })
  if (state.to) add(`Up to ${dayWords(state.to)}`, { to: '' })
  return chips
}
