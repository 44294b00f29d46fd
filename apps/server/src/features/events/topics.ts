import type { Topic } from '@agency/contract/endpoint'
import type { Permission } from '@agency/contract/permissions'
import type { ChangeTopic } from '../../platform/changes.ts'

/** Who hears of a change: those who may read what it changed, or everybody. */
const permissionOf: Record<Topic, Permission | null> = {
  customers: 'customers.read',
  lifecycle: 'customers.read',
  notes: 'support.read',
  subscriptions: 'billing.read',
  payments: 'billing.read',
  invoices: 'billing.read',
  plans: 'billing.read',
  mirror: 'billing.read',
  money_actions: 'billing.read',
  purchases: 'billing.read',
  impersonations: 'customers.read',
  domains: 'sites.read',
  dns_records: 'sites.read',
  domain_analytics: 'analytics.read',
  sites: 'sites.read',
  deployments: 'sites.read',
  monitoring: null,
  alerts: 'sites.read',
  incidents: 'sites.read',
  exports: null,
  report_schedules: null,
  feature_flags: 'admin.system',
  money_drift: 'sites.read',
  backups: 'admin.system',
  queues: 'admin.system',
  sql_console: 'admin.system',
  audit: 'admin.system',
  users: 'admin.users',
  api_keys: 'admin.system',
  settings: null,
  mails: 'admin.system',
  security: 'admin.system',
  notifications: null,
  health: null,
}

/** Those of `ChangeTopic` that are no `Topic` are among processes only. */
export function audibleTopics(topics: Iterable<ChangeTopic>, held: ReadonlySet<Permission>): Topic[] {
  return [...topics].filter((topic): topic is Topic => {
    if (topic === 'sessions' || topic === 'deployment_log' || topic === 'caches') return false
    const needed = permissionOf[topic]
    return needed === null || held.has(needed)
  })
}
