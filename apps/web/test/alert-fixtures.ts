import type {
  Alert,
  AlertDetails,
  AlertRule,
  Incident,
  IncidentDetails,
  MaintenanceWindow,
  PossibleCause,
} from '@agency/contract/types'

export const anAlert = (part: Partial<Alert> = {}): Alert => ({
  id: 'al_1',
  rule: 'site_down',
  rule_name: 'Site down',
  subject: 'site',
  subject_id: 'site_1',
  subject_name: 'Harbour Bakery',
  link: '/admin/sites?open=site_1',
  severity: 'critical',
  status: 'open',
  title: 'Harbour Bakery is down',
  detail: 'harbour.example refuses connections.',
  opened_at: '2026-11-21T10:00:00Z',
  last_seen_at: '2026-11-21T10:30:00Z',
  acknowledged_at: null,
  acknowledged_by: null,
  snoozed_until: null,
  assignee_id: null,
  assignee_name: null,
  resolved_at: null,
  resolved_by: null,
  reopened: 0,
  is_flapping: false,
  cause_id: null,
  children: 0,
  incident_id: null,
  incident_number: null,
  affected_sites: 1,
  affected_customers: 1,
  at_risk: [{ currency: 'usd', mrr: 12_000, renewals_7d: 4900, renewals_30d: 12_000 }],
  ...part,
})

export const alertDetailsOf = (part: Partial<AlertDetails> = {}): AlertDetails => ({
  ...anAlert(),
  events: [
    { id: 'ev_1', at: '2026-11-21T10:00:00Z', kind: 'opened', actor: null, text: 'Connection refused' },
    { id: 'ev_2', at: '2026-11-21T10:01:00Z', kind: 'notified', actor: null, text: 'Mailed to ops@example.com' },
  ],
  child_alerts: [],
  ...part,
})

export const alertCounts = (rows: readonly Alert[]) => {
  const of = (...values: string[]) =>
    rows.filter(({ status, severity }) => values.includes(status) || values.includes(severity)).length
  return {
    active: of('open', 'acknowledged', 'snoozed'),
    open: of('open'),
    acknowledged: of('acknowledged'),
    snoozed: of('snoozed'),
    critical: of('critical'),
    error: of('error'),
    warning: of('warning'),
    info: of('info'),
  }
}

export const aRule = (part: Partial<AlertRule> = {}): AlertRule => ({
  key: 'disk',
  name: 'Disk almost full',
  description: 'Storage of the console in use',
  subject: 'metric',
  severity: 'warning',
  default_severity: 'warning',
  is_enabled: true,
  threshold: { value: 90, default: 85, min: 50, max: 99, unit: '%' },
  muted_until: null,
  active_alerts: 2,
  can_try: true,
  version: 3,
  ...part,
})

export const aWindow = (part: Partial<MaintenanceWindow> = {}): MaintenanceWindow => ({
  id: 'mw_1',
  title: 'Move to new servers',
  starts_at: '2026-11-21T10:00:00Z',
  ends_at: '2026-11-21T12:00:00Z',
  sites: [{ id: 'site_1', site_name: 'Harbour Bakery' }],
  silences: true,
  excludes_uptime: true,
  state: 'running',
  created_by: 'Grace Hopper',
  ...part,
})

export const anIncident = (part: Partial<Incident> = {}): Incident => ({
  id: 'inc_12',
  number: 12,
  severity: 'sev3',
  status: 'open',
  title: 'Harbour Bakery is down',
  opened_at: '2026-11-21T10:00:00Z',
  opened_by: null,
  resolved_at: null,
  resolved_by: null,
  assignee_id: null,
  assignee_name: null,
  is_false_positive: false,
  merged_into: null,
  active_alerts: 2,
  affected_sites: 1,
  affected_customers: 1,
  at_risk: [{ currency: 'usd', mrr: 12_000, renewals_7d: 4900, renewals_30d: 12_000 }],
  version: 5,
  ...part,
})

export const aCause = (part: Partial<PossibleCause> = {}): PossibleCause => ({
  id: 'ca_1',
  at: '2026-11-21T09:48:00Z',
  kind: 'deployment',
  title: 'Deployed abc1234 to Harbour Bakery',
  actor: 'Grace Hopper',
  site_name: 'Harbour Bakery',
  link: '/admin/deployments?open=dep_1',
  score: 92,
  reasons: ['12 minutes before', 'Same site'],
  undo: null,
  ...part,
})

export const incidentDetailsOf = (part: Partial<IncidentDetails> = {}): IncidentDetails => ({
  ...anIncident(),
  alerts: [
    anAlert(),
    anAlert({ id: 'al_2', title: 'Certificate of Cove expired', subject_id: 'site_2', subject_name: 'Cove' }),
  ],
  events: [
    { id: 'ie_1', at: '2026-11-21T10:00:00Z', kind: 'opened', actor: null, text: 'Opened by Site down' },
    { id: 'ie_2', at: '2026-11-21T10:05:00Z', kind: 'note', actor: 'Ada Lovelace', text: 'Asked the host' },
  ],
  changes: [aCause()],
  sites: [
    { id: 'site_1', site_name: 'Harbour Bakery' },
    { id: 'site_2', site_name: 'Cove' },
  ],
  postmortem: null,
  ...part,
})
