import * as adminUsers from '@agency/contract/descriptors/admin-users'
import * as alerts from '@agency/contract/descriptors/alerts'
import * as apiKeys from '@agency/contract/descriptors/api-keys'
import * as audit from '@agency/contract/descriptors/audit'
import * as billing from '@agency/contract/descriptors/billing'
import * as customers from '@agency/contract/descriptors/customers'
import * as deployments from '@agency/contract/descriptors/deployments'
import * as domains from '@agency/contract/descriptors/domains'
import * as impersonation from '@agency/contract/descriptors/impersonation'
import * as incidents from '@agency/contract/descriptors/incidents'
import * as moneyDrift from '@agency/contract/descriptors/money-drift'
import * as monitoring from '@agency/contract/descriptors/monitoring'
import * as purchaseReset from '@agency/contract/descriptors/purchase-reset'
import * as purchases from '@agency/contract/descriptors/purchases'
import * as reportsRevenue from '@agency/contract/descriptors/reports-revenue'
import * as security from '@agency/contract/descriptors/security'
import * as settings from '@agency/contract/descriptors/settings'
import * as sites from '@agency/contract/descriptors/sites'
import * as systemAnalytics from '@agency/contract/descriptors/system-analytics'
import type { Access, Permission } from '@agency/contract/types'
import { paths } from '../../lib/paths.ts'
import { denialOf } from '../../lib/session.ts'
import { isGroup, navigation } from '../navigation.ts'
import type { Item } from './items.ts'
import { best } from './rank.ts'

/** What the screens need that not everybody may open: what they read. */
export const screenPermissions: Readonly<Record<string, Access>> = {
  [paths.customers]: customers.listCustomers.permission,
  [paths.impersonation]: impersonation.listImpersonations.permission,
  [paths.sites]: sites.listSites.permission,
  [paths.domains]: domains.listDomains.permission,
  [paths.deployments]: deployments.listDeployments.permission,
  [paths.subscriptions]: billing.listSubscriptions.permission,
  [paths.payments]: billing.listPayments.permission,
  [paths.purchases]: purchases.listPurchases.permission,
  [paths.purchaseReset]: purchaseReset.listPurchasedSites.permission,
  [paths.monitor]: monitoring.getMonitoringOverview.permission,
  [paths.monitoringServices]: monitoring.listServices.permission,
  [paths.monitoringSites]: monitoring.listMonitoredSites.permission,
  [paths.alerts]: alerts.listAlerts.permission,
  [paths.incidents]: incidents.listIncidents.permission,
  [paths.reports]: reportsRevenue.getRevenueReport.permission,
  [paths.revenueReport]: reportsRevenue.getRevenueReport.permission,
  [paths.usageReport]: reportsRevenue.getRevenueReport.permission,
  [paths.customersReport]: reportsRevenue.getRevenueReport.permission,
  [paths.performanceReport]: reportsRevenue.getRevenueReport.permission,
  [paths.analytics]: systemAnalytics.getSystemAnalytics.permission,
  [paths.moneyDrift]: moneyDrift.listMoneyDrift.permission,
  [paths.users]: adminUsers.listUsers.permission,
  [paths.apiKeys]: apiKeys.listApiKeys.permission,
  [paths.config]: settings.listSettings.permission,
  [paths.audit]: audit.listAudit.permission,
  [paths.security]: security.getSecurityChecks.permission,
}

const screens = navigation.flatMap((entry) =>
  isGroup(entry)
    ? entry.items.map(({ label, path }) => ({ title: label, words: entry.label, path }))
    : [{ title: entry.label, words: '', path: entry.path }],
)

/** The screens of the navigation that fit, all of them for an empty term. */
export function screenItems(term: string, held: readonly Permission[]): Item[] {
  const shown = term === '' ? screens : best(screens, term)
  return shown.map(({ title, words, path }) => {
    const key = `screen:${path}`
    const denial = denialOf(screenPermissions[path] ?? 'any', held)
    return { key, title, detail: words || undefined, href: path, denial, recent: { key } }
  })
}
