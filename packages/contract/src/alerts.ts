import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { alertSeverities, alertSeverity } from './monitoring.ts'
import { count, currency, idParams, instant, listOf, minorUnits, pageQuery, searchText } from './primitives.ts'

export const alertStatuses = ['open', 'acknowledged', 'snoozed', 'resolved'] as const
export const alertStatus = z.enum(alertStatuses)
export type AlertStatus = z.output<typeof alertStatus>

/** What an alert is about. `sites`: several at once, for one cause. */
export const alertSubjects = ['site', 'sites', 'service', 'metric', 'billing', 'console'] as const
export const alertSubject = z.enum(alertSubjects)
export type AlertSubject = z.output<typeof alertSubject>

export const moneyAtRisk = z.object({
  currency,
  /** Monthly revenue of the customers whose sites are affected, each customer counted once. */
  mrr: minorUnits,
  /** What renews within the next 7 and 30 days. */
  renewals_7d: minorUnits,
  renewals_30d: minorUnits,
})
export type MoneyAtRisk = z.output<typeof moneyAtRisk>

/** null for whoever may not see money; empty where no customer is affected. */
const atRisk = z.array(moneyAtRisk).nullable()

export const alert = z.object({
  id: z.string(),
  rule: z.string(),
  rule_name: z.string(),
  subject: alertSubject,
  subject_id: z.string(),
  subject_name: z.string(),
  /** The screen of what it is about, a path of the console. */
  link: z.string().nullable(),
  severity: alertSeverity,
  status: alertStatus,
  title: z.string(),
  detail: z.string(),
  opened_at: instant,
  last_seen_at: instant,
  acknowledged_at: instant.nullable(),
  acknowledged_by: z.string().nullable(),
  snoozed_until: instant.nullable(),
  assignee_id: z.string().nullable(),
  assignee_name: z.string().nullable(),
  resolved_at: instant.nullable(),
  /** A person, or null: it ended by itself. */
  resolved_by: z.string().nullable(),
  /** How often it came back within the last hour. */
  reopened: count,
  /** It comes and goes: told once, until it stays away for a while. */
  is_flapping: z.boolean(),
  /** The alert of the common cause, which is told in its place. */
  cause_id: z.string().nullable(),
  /** Alerts that this one stands for. */
  children: count,
  incident_id: z.string().nullable(),
  incident_number: count.nullable(),
  affected_sites: count,
  affected_customers: count,
  at_risk: atRisk,
})
export type Alert = z.output<typeof alert>

export const alertEvent = z.object({
  id: z.string(),
  at: instant,
  kind: z.enum([
    'opened',
    'reopened',
    'changed',
    'acknowledged',
    'snoozed',
    'assigned',
    'resolved',
    'grouped',
    'notified',
  ]),
  /** A person; null: the console itself. */
  actor: z.string().nullable(),
  text: z.string(),
})
export type AlertEvent = z.output<typeof alertEvent>

export const alertDetails = z.object({
  ...alert.shape,
  events: z.array(alertEvent),
  /** The alerts that it stands for, 100 at most. */
  child_alerts: z.array(
    z.object({
      id: z.string(),
      title: z.string(),
      subject_name: z.string(),
      link: z.string().nullable(),
      status: alertStatus,
    }),
  ),
})
export type AlertDetails = z.output<typeof alertDetails>

const topics = ['alerts', 'incidents', 'sites'] as const

export const listAlerts = endpoint({
  method: 'GET',
  path: '/alerts',
  permission: 'sites.read',
  summary: 'Alerts; what stands for others is listed in their place',
  query: z.strictObject({
    ...pageQuery(25),
    search: searchText.optional(),
    /** `active`: all that are not resolved. */
    status: z.enum(['active', 'all', ...alertStatuses]).default('active'),
    severity: listOf(z.enum([...alertSeverities, 'all'])).optional(),
    rule: z.string().max(64).optional(),
    /** `money`: the most monthly revenue at risk first. */
    sort: z.enum(['severity', 'newest', 'money']).default('severity'),
  }),
  response: z.object({
    alerts: z.array(alert),
    has_more: z.boolean(),
    total: count,
    counts: z.object({
      active: count,
      open: count,
      acknowledged: count,
      snoozed: count,
      critical: count,
      error: count,
      warning: count,
      info: count,
    }),
  }),
  topics,
  isPersonal: true,
})

export const getAlert = endpoint({
  method: 'GET',
  path: '/alerts/:id',
  permission: 'sites.read',
  summary: 'An alert with what became of it',
  params: idParams,
  response: z.object({ alert: alertDetails }),
  topics,
  isPersonal: true,
})

const changed = z.object({ alert })
const whileActive = { permission: 'sites.write', params: idParams, response: changed } as const

export const acknowledgeAlert = endpoint({
  method: 'POST',
  path: '/alerts/:id/acknowledge',
  summary: 'Acknowledge an alert: no further notices',
  ...whileActive,
})

export const snoozeAlert = endpoint({
  method: 'POST',
  path: '/alerts/:id/snooze',
  summary: 'Snooze an alert for up to 7 days; it reopens if the cause is still there',
  body: z.strictObject({ until: instant }),
  ...whileActive,
})

export const assignAlert = endpoint({
  method: 'POST',
  path: '/alerts/:id/assign',
  summary: 'Assign an alert to an administrator, or to nobody',
  body: z.strictObject({ user_id: z.string().min(1).max(64).nullable() }),
  ...whileActive,
})

export const resolveAlert = endpoint({
  method: 'POST',
  path: '/alerts/:id/resolve',
  summary: 'Resolve an alert by hand; it reopens if the cause ends and returns',
  body: z.strictObject({ reason: z.string().trim().max(500).optional() }).nullish(),
  ...whileActive,
})

export const assignees = endpoint({
  method: 'GET',
  path: '/alerts/assignees',
  permission: 'sites.read',
  summary: 'Whom alerts and incidents can be given to',
  response: z.object({ people: z.array(z.object({ id: z.string(), name: z.string() })) }),
  topics: ['users'],
})

export const alertRule = z.object({
  key: z.string(),
  name: z.string(),
  description: z.string(),
  subject: alertSubject,
  severity: alertSeverity,
  default_severity: alertSeverity,
  is_enabled: z.boolean(),
  /** null: the rule has no figure to set. */
  threshold: z
    .object({ value: z.number(), default: z.number(), min: z.number(), max: z.number(), unit: z.string() })
    .nullable(),
  muted_until: instant.nullable(),
  active_alerts: count,
  /** Whether it can be tried on what was measured. */
  can_try: z.boolean(),
  version: count,
})
export type AlertRule = z.output<typeof alertRule>

export const listAlertRules = endpoint({
  method: 'GET',
  path: '/alert-rules',
  permission: 'sites.read',
  summary: 'What is watched, and from which figure on it alarms',
  response: z.object({ rules: z.array(alertRule) }),
  topics: ['alerts'],
})

const ruleParams = z.object({ key: z.string().min(1).max(64) })

export const updateAlertRule = endpoint({
  method: 'PATCH',
  path: '/alert-rules/:key',
  permission: 'admin.system',
  summary: 'Change a rule; a version that is not the newest is refused',
  params: ruleParams,
  body: z.strictObject({
    version: count,
    is_enabled: z.boolean().optional(),
    severity: alertSeverity.optional(),
    threshold: z.number().optional(),
    /** Up to 30 days from now; null: not muted. */
    muted_until: instant.nullable().optional(),
  }),
  response: z.object({ rule: alertRule }),
})

export const ruleTrial = z.object({
  days: count,
  /** How often it would have alarmed. */
  fired: count,
  /** The longest first, five at most. */
  examples: z.array(z.object({ from: instant, until: instant.nullable(), subject_name: z.string(), peak: z.number() })),
  /** Since when there are measurements to try it on; null: none. */
  measured_since: instant.nullable(),
})
export type RuleTrial = z.output<typeof ruleTrial>

export const tryAlertRule = endpoint({
  method: 'GET',
  path: '/alert-rules/:key/trial',
  permission: 'sites.read',
  summary: 'How often a rule with this threshold would have alarmed in the last 30 days',
  params: ruleParams,
  query: z.strictObject({ threshold: z.coerce.number() }),
  response: z.object({ trial: ruleTrial }),
})

export const maintenanceWindow = z.object({
  id: z.string(),
  title: z.string(),
  starts_at: instant,
  ends_at: instant,
  /** Empty: every site. */
  sites: z.array(z.object({ id: z.string(), site_name: z.string() })),
  /** No notices are sent for what is meant. */
  silences: z.boolean(),
  /** Its time is left out of the uptime. */
  excludes_uptime: z.boolean(),
  state: z.enum(['planned', 'running', 'over']),
  created_by: z.string(),
})
export type MaintenanceWindow = z.output<typeof maintenanceWindow>

export const listMaintenance = endpoint({
  method: 'GET',
  path: '/maintenance-windows',
  permission: 'sites.read',
  summary: 'Planned, running and past maintenance, the next first',
  response: z.object({ windows: z.array(maintenanceWindow) }),
  topics: ['alerts', 'sites'],
  isPersonal: true,
})

export const createMaintenance = endpoint({
  method: 'POST',
  path: '/maintenance-windows',
  permission: 'sites.write',
  summary: 'Plan maintenance of some sites, or of all',
  body: z.strictObject({
    title: z.string().trim().min(1).max(120),
    starts_at: instant,
    ends_at: instant,
    site_ids: z.array(z.string().min(1).max(64)).max(1000),
    silences: z.boolean(),
    excludes_uptime: z.boolean(),
  }),
  response: z.object({ window: maintenanceWindow }),
})

export const endMaintenance = endpoint({
  method: 'POST',
  path: '/maintenance-windows/:id/end',
  permission: 'sites.write',
  summary: 'End maintenance now; one that has not begun is taken away',
  params: idParams,
  response: z.object({ ended: z.literal(true) }),
})
