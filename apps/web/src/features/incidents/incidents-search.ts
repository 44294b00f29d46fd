import * as incidentNotices from '@agency/contract/descriptors/incident-notices'
import * as incidents from '@agency/contract/descriptors/incidents'
import * as slaCredits from '@agency/contract/descriptors/sla-credits'
import * as statusPages from '@agency/contract/descriptors/status-pages'
import { q } from '../../lib/api.ts'
import { incidentSeverities, incidentSeverityChips, incidentStatusChips } from '../../lib/incident-status.ts'
import { chipsOf, chosenOf, defineList } from '../../lib/list/define-list.ts'
import { oneOf, readState, type StateOf, someOf, text } from '../../lib/search-state.ts'
import type { Choice } from '../../ui/FilterField.tsx'

const statuses = ['active', 'all', 'open', 'investigating', 'identified', 'monitoring', 'resolved', 'merged'] as const

export const incidentsSearch = {
  search: text(),
  severity: someOf(incidentSeverities),
  status: oneOf(statuses, 'active'),
  sort: oneOf(['newest', 'severity', 'money'], 'newest'),
  /** A link may open the dialog for a new one, with alerts that belong to it. */
  act: oneOf(['none', 'open'], 'none', { keepsPage: true }),
  alerts: text('', { keepsPage: true }),
}
export type IncidentsSearch = StateOf<typeof incidentsSearch>

const filters = ['search', 'severity', 'status'] as const

/** What a change of an incident makes stale. */
export const incidentReads = [incidents.getIncident, incidents.listIncidents, incidents.getPostmortem]

export const incidentsList = defineList({
  search: incidentsSearch,
  filters,
  sizes: [10, 25, 50],
  initialSize: 25,
  query: (page, state) => {
    const { severity, ...chosen } = chosenOf(incidentsSearch, state, [...filters, 'sort'])
    return q(incidents.listIncidents, { query: { ...page, ...chosen, severity: severity?.join(',') } })
  },
  rows: (answer) => answer.incidents,
})

const statusLabel = (status: IncidentsSearch['status']): string =>
  status === 'all' ? 'All' : status === 'active' ? 'Active' : incidentStatusChips[status].label

export const statusChoices: readonly Choice[] = statuses.map((value) => ({ value, label: statusLabel(value) }))

export const severityToggles: readonly Choice[] = incidentSeverities.map((value) => ({
  value,
  label: incidentSeverityChips[value].label,
}))

/** With what each severity means. */
export const severityChoices: readonly Choice[] = incidentSeverities.map((value) => {
  const { label, meaning } = incidentSeverityChips[value]
  return { value, label: `${label}: ${meaning}` }
})

export const sortChoices: readonly Choice[] = [
  { value: 'newest', label: 'Newest' },
  { value: 'severity', label: 'Severity' },
  { value: 'money', label: 'Money at risk' },
]

export const incidentChips = (state: IncidentsSearch) =>
  chipsOf(incidentsSearch, state, { status: (status) => `Status: ${statusLabel(status)}` })

const incidentTabs = ['overview', 'customers', 'credits', 'postmortem'] as const
export const incidentSearch = { tab: oneOf(incidentTabs, 'overview') }

const decoded = (part: string): string => {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

export const incidentIdOf = (pathname: string): string => decoded(pathname.split('/')[3] ?? '')

export const oneIncident = (id: string) => q(incidents.getIncident, { params: { id } })
export const onePostmortem = (id: string) => q(incidents.getPostmortem, { params: { id } })

export const noticesOf = (id: string) => q(incidentNotices.getIncidentNotices, { params: { id } })
export const creditsOf = (id: string) => q(slaCredits.getSlaCredits, { params: { id } })
/** What a notice makes stale. */
export const noticeReads = [incidentNotices.getIncidentNotices, incidents.getIncident]

/** What a public update makes stale. */
export const updateReads = [statusPages.listPublicUpdates, incidents.getIncident]

/** What the screen of one asks first, read from its address. */
export function incidentQueries(params: URLSearchParams, pathname: string) {
  const id = incidentIdOf(pathname)
  const { tab } = readState(incidentSearch, params)
  if (tab === 'postmortem') return [oneIncident(id), onePostmortem(id)]
  if (tab === 'credits') return [oneIncident(id), creditsOf(id)]
  return tab === 'customers' ? [oneIncident(id), noticesOf(id)] : [oneIncident(id)]
}
