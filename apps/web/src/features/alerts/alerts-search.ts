import * as alerts from '@agency/contract/descriptors/alerts'
import * as channels from '@agency/contract/descriptors/channels'
import * as statusPages from '@agency/contract/descriptors/status-pages'
import type { Alert } from '@agency/contract/types'
import { alertSeverities, alertSeverityChips, alertStatusChips } from '../../lib/alert-status.ts'
import { q } from '../../lib/api.ts'
import { chipsOf, chosenOf, defineList } from '../../lib/list/define-list.ts'
import { oneOf, readState, type StateOf, someOf, text } from '../../lib/search-state.ts'
import type { Choice } from '../../ui/FilterField.tsx'

const tabs = ['alerts', 'rules', 'maintenance', 'channels', 'status'] as const
export type AlertsTabName = (typeof tabs)[number]

const statuses = ['active', 'all', 'open', 'acknowledged', 'snoozed', 'resolved'] as const

const tab = oneOf(tabs, 'alerts')
const open = text('', { keepsPage: true })

export const tabSearch = { tab }

export const alertsSearch = {
  search: text(),
  severity: someOf(alertSeverities),
  status: oneOf(statuses, 'active'),
  rule: text(),
  sort: oneOf(['severity', 'newest', 'money'], 'severity'),
  open,
}
export type AlertsSearch = StateOf<typeof alertsSearch>

const filters = ['search', 'severity', 'status', 'rule'] as const

/** What an act on an alert makes stale. */
export const alertReads = [alerts.listAlerts, alerts.getAlert, alerts.listAlertRules]

export const ruleReads = [alerts.listAlertRules, alerts.listAlerts]
export const maintenanceReads = [alerts.listMaintenance]
export const channelReads = [channels.listChannels, channels.listDeliveries, channels.listRoutes]

export const alertsList = defineList({
  search: alertsSearch,
  filters,
  sizes: [10, 25, 50],
  initialSize: 25,
  query: (page, state) => {
    const { severity, ...chosen } = chosenOf(alertsSearch, state, [...filters, 'sort'])
    return q(alerts.listAlerts, { query: { ...page, ...chosen, severity: severity?.join(',') } })
  },
  rows: (answer) => answer.alerts,
})

const statusLabel = (status: AlertsSearch['status']): string =>
  status === 'all' ? 'All' : status === 'active' ? 'Active' : alertStatusChips[status].label

export const statusChoices: readonly Choice[] = statuses.map((value) => ({ value, label: statusLabel(value) }))

export const severityChoices: readonly Choice[] = alertSeverities.map((value) => ({
  value,
  label: alertSeverityChips[value].label,
}))

export const sortChoices: readonly Choice[] = [
  { value: 'severity', label: 'Severity' },
  { value: 'newest', label: 'Newest' },
  { value: 'money', label: 'Money at risk' },
]

/** The severities are pressed and let go where they stand. */
export const alertChips = (state: AlertsSearch, rows: readonly Alert[] | undefined) =>
  chipsOf(alertsSearch, state, {
    status: (status) => `Status: ${statusLabel(status)}`,
    rule: (key) => `Rule: ${rows?.find(({ rule }) => rule === key)?.rule_name ?? key}`,
  })

export const rulesList = defineList({
  search: { open },
  filters: [],
  sizes: [100],
  initialSize: 100,
  query: () => q(alerts.listAlertRules, {}),
  rows: ({ rules }) => rules.map((rule) => ({ ...rule, id: rule.key })),
})

export const maintenanceList = defineList({
  search: {},
  filters: [],
  sizes: [100],
  initialSize: 100,
  query: () => q(alerts.listMaintenance, {}),
  rows: ({ windows }) => windows,
})

export const channelsList = defineList({
  search: {},
  filters: [],
  sizes: [100],
  initialSize: 100,
  query: () => q(channels.listChannels, {}),
  rows: (answer) => answer.channels,
})

export const statusPagesList = defineList({
  search: {},
  filters: [],
  sizes: [100],
  initialSize: 100,
  query: () => q(statusPages.listStatusPages, {}),
  rows: ({ pages }) => pages,
})

/** What the screen asks first, read from its address. */
export function alertsQueries(params: URLSearchParams, pathname: string) {
  const { tab: shown } = readState(tabSearch, params)
  if (shown === 'rules') return rulesList.queriesFor(params, pathname)
  if (shown === 'maintenance') return maintenanceList.queriesFor(params, pathname)
  if (shown === 'channels') return channelsList.queriesFor(params, pathname)
  if (shown === 'status') return statusPagesList.queriesFor(params, pathname)
  return alertsList.queriesFor(params, pathname)
}
