import type { ReactNode } from 'react'
import { Navigate } from 'react-router'
import { paths } from '../lib/paths.ts'
import { LoadedPage, type LoadPage } from './page.tsx'

export type Route = {
  path: string
  element: ReactNode
  /** For the document and the top bar; a route without one leads elsewhere. */
  title?: string
  /** Where a tab is a screen of its own: its title, by the value of `tab`. */
  tabTitles?: Record<string, string>
  /** Where a route without a screen leads. */
  to?: string
  /** Loads the page's code. */
  load?: LoadPage
}

const loadDashboard: LoadPage = async () => (await import('./pages/dashboard.ts')).dashboardPage
const loadHealth: LoadPage = async () => (await import('./pages/health.ts')).healthPage
const loadMetrics: LoadPage = async () => (await import('./pages/metrics.ts')).metricsPage
const loadCustomers: LoadPage = async () => (await import('./pages/customers.ts')).customersPage
const loadImpersonation: LoadPage = async () => (await import('./pages/impersonation.ts')).impersonationPage
const loadCustomerView: LoadPage = async () => (await import('./pages/customer-view.ts')).customerViewPage
const loadSites: LoadPage = async () => (await import('./pages/sites.ts')).sitesPage
const loadDeployments: LoadPage = async () => (await import('./pages/deployments.ts')).deploymentsPage
const loadDomains: LoadPage = async () => (await import('./pages/domains.ts')).domainsPage
const loadDomainAnalytics: LoadPage = async () => (await import('./pages/domain-analytics.ts')).domainAnalyticsPage
const loadBilling: LoadPage = async () => (await import('./pages/billing.ts')).billingPage
const loadPurchases: LoadPage = async () => (await import('./pages/purchases.ts')).purchasesPage
const loadPurchaseReset: LoadPage = async () => (await import('./pages/purchase-reset.ts')).purchaseResetPage
const loadMonitor: LoadPage = async () => (await import('./pages/monitor.ts')).monitorPage
const loadServices: LoadPage = async () => (await import('./pages/monitoring-services.ts')).monitoringServicesPage
const loadSiteHealth: LoadPage = async () => (await import('./pages/monitoring-sites.ts')).monitoringSitesPage
const loadPerformance: LoadPage = async () =>
  (await import('./pages/monitoring-performance.ts')).monitoringPerformancePage
const loadAlerts: LoadPage = async () => (await import('./pages/alerts.ts')).alertsPage
const loadMoneyDrift: LoadPage = async () => (await import('./pages/money-drift.ts')).moneyDriftPage
const loadIncidents: LoadPage = async () => (await import('./pages/incidents.ts')).incidentsPage
const loadIncident: LoadPage = async () => (await import('./pages/incident.ts')).incidentPage
const loadReports: LoadPage = async () => (await import('./pages/reports.tsx')).reportsPage
const loadSystemAnalytics: LoadPage = async () => (await import('./pages/system-analytics.ts')).systemAnalyticsPage
const loadTools: LoadPage = async () => (await import('./pages/tools.tsx')).toolsPage
const loadDatabase: LoadPage = async () => (await import('./pages/database.ts')).databasePage
const loadBackup: LoadPage = async () => (await import('./pages/backup.ts')).backupPage
const loadCache: LoadPage = async () => (await import('./pages/cache.tsx')).cachePage
const loadQueue: LoadPage = async () => (await import('./pages/queue.ts')).queuePage
const loadAudit: LoadPage = async () => (await import('./pages/audit.ts')).auditPage
const loadSecurity: LoadPage = async () => (await import('./pages/security.ts')).securityPage
const loadFeatures: LoadPage = async () => (await import('./pages/features.ts')).featuresPage
const loadApiKeys: LoadPage = async () => (await import('./pages/api-keys.ts')).apiKeysPage
const loadConfig: LoadPage = async () => (await import('./pages/config.ts')).configPage
const loadUsers: LoadPage = async () => (await import('./pages/users.tsx')).usersPage

/** The whole map of the console. Each page loads with its route; of two that match, the more specific one wins. */
export const routes: Route[] = [
  page(paths.dashboard, 'Dashboard', loadDashboard),
  moved('/admin/dashboard', paths.dashboard),

  page(paths.health, 'System Health', loadHealth),
  page(paths.metrics, 'System Metrics', loadMetrics),

  page(paths.customers, 'Customers', loadCustomers),
  page(paths.impersonation, 'User Impersonation', loadImpersonation),
  page('/admin/impersonation/:id', 'Customer View', loadCustomerView),
  page(paths.sites, 'Customer Sites', loadSites),
  page(paths.deployments, 'Deployment Status', loadDeployments),
  page(paths.domains, 'Cloudflare Domains', loadDomains),
  page('/admin/domains/:id/analytics', 'Domain Analytics', loadDomainAnalytics),

  page(paths.subscriptions, 'Subscriptions', loadBilling),
  page(paths.payments, 'Payment History', loadBilling),
  page(paths.purchases, 'Recent Purchases', loadPurchases),
  page(paths.purchaseReset, 'Purchase Reset', loadPurchaseReset),

  page(paths.monitor, 'Site Monitor', loadMonitor),
  page(paths.monitoringServices, 'Service Health', loadServices),
  page(paths.monitoringSites, 'Site Health', loadSiteHealth),
  page(paths.monitoringPerformance, 'Performance Metrics', loadPerformance),
  page(paths.alerts, 'Alerts', loadAlerts),
  page(paths.moneyDrift, 'Money Drift', loadMoneyDrift),
  page(paths.incidents, 'Incidents', loadIncidents),
  page('/admin/incidents/:id', 'Incident', loadIncident),

  page(paths.reports, 'Revenue Report', loadReports, { exports: 'Exports', schedules: 'Report schedules' }),
  page(paths.revenueReport, 'Revenue Report', loadReports),
  page(paths.usageReport, 'Usage Report', loadReports),
  page(paths.customersReport, 'Customers Report', loadReports),
  page(paths.performanceReport, 'Performance Report', loadReports),
  moved('/admin/reports/*', paths.reports),
  page(paths.analytics, 'System Analytics', loadSystemAnalytics),

  page(paths.tools, 'Admin Tools', loadTools, { features: 'Feature Flags', 'api-keys': 'API Keys' }),
  page(paths.database, 'Database Query', loadDatabase),
  page(paths.cache, 'Cache Management', loadCache),
  page(paths.queue, 'Queue Management', loadQueue),
  page(paths.backup, 'Backup/Restore', loadBackup),
  moved('/admin/tools/*', paths.tools),

  page(paths.users, 'Admin Users', loadUsers, { profile: 'Profile' }),
  page(paths.audit, 'Audit Logs', loadAudit),
  page(paths.security, 'Security', loadSecurity),
  page(paths.features, 'Feature Flags', loadFeatures),
  page(paths.apiKeys, 'API Keys', loadApiKeys),
  page(paths.config, 'System Config', loadConfig),

  moved('*', paths.dashboard),
]

function page(path: string, title: string, load: LoadPage, tabTitles: Record<string, string> = {}): Route {
  return { path, title, tabTitles, load, element: <LoadedPage load={load} /> }
}

function moved(path: string, to: string): Route {
  return { path, to, element: <Navigate to={to} replace /> }
}
