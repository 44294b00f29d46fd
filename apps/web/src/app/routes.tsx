import type { ComponentType } from 'react'
import { Navigate, type RouteObject } from 'react-router'
import { paths } from '../lib/paths.ts'
import { PlannedScreen } from './PlannedScreen.tsx'
import { plannedScreens } from './screens.ts'
import { PageSkeleton } from './shell/PageSkeleton.tsx'
import { RouteError } from './shell/RouteError.tsx'
import { Shell } from './shell/Shell.tsx'

export type RouteHandle = { title: string }

/** The whole map of the console. Each page loads with its route. */
export const routes: RouteObject[] = [
  {
    path: '/admin',
    element: <Shell />,
    errorElement: <RouteError />,
    children: [
      planned('', 'Dashboard', 'dashboard'),
      moved('dashboard', paths.dashboard),

      planned('health', 'System Health', 'health'),
      planned('metrics', 'System Metrics', 'health'),

      planned('customers', 'Customers', 'customers'),
      planned('impersonation', 'User Impersonation', 'customers'),
      planned('sites', 'Customer Sites', 'sites'),
      planned('deployments', 'Deployment Status', 'sites'),
      planned('domains', 'Cloudflare Domains', 'domains'),
      planned('domains/:id/analytics', 'Domain Analytics', 'domainAnalytics'),

      planned('subscriptions', 'Subscriptions', 'billing'),
      planned('payments', 'Payment History', 'billing'),
      planned('purchases', 'Recent Purchases', 'purchases'),
      planned('purchase-reset', 'Purchase Reset', 'purchaseReset'),

      planned('monitor', 'Site Monitor', 'monitor'),
      planned('monitoring/services', 'Service Health', 'services'),
      planned('monitoring/sites', 'Site Health', 'siteHealth'),
      planned('monitoring/performance', 'Performance Metrics', 'performance'),
      planned('alerts', 'Alerts', 'alerts'),
      planned('incidents', 'Incidents', 'incidents'),
      planned('incidents/:id', 'Incident', 'incident'),

      planned('reports', 'Revenue Report', 'reports'),
      planned('reports/revenue', 'Revenue Report', 'reports'),
      planned('reports/usage', 'Usage Report', 'reports'),
      planned('reports/customers', 'Customers Report', 'reports'),
      planned('reports/performance', 'Performance Report', 'reports'),
      moved('reports/*', paths.reports),
      planned('analytics', 'System Analytics', 'analytics'),

      planned('tools', 'Admin Tools', 'tools'),
      planned('tools/database', 'Database Query', 'tools'),
      planned('tools/cache', 'Cache Management', 'tools'),
      planned('tools/queue', 'Queue Management', 'tools'),
      planned('tools/backup', 'Backup/Restore', 'tools'),
      moved('tools/*', paths.tools),

      planned('users', 'Admin Users', 'users'),
      planned('audit', 'Audit Logs', 'users'),
      planned('security', 'Security', 'users'),
      planned('features', 'Feature Flags', 'settings'),
      planned('api-keys', 'API Keys', 'settings'),
      planned('config', 'System Config', 'settings'),

      moved('*', paths.dashboard),
    ],
  },
  moved('*', paths.dashboard),
]

type Load = () => Promise<ComponentType>

/** A built page: `page('customers', 'Customers', async () => (await import('…/CustomersPage.tsx')).CustomersPage)`. */
export function page(path: string, title: string, load: Load): RouteObject {
  return {
    ...at(path),
    handle: { title } satisfies RouteHandle,
    hydrateFallbackElement: <PageSkeleton />,
    lazy: async () => ({ Component: await load() }),
  }
}

function planned(path: string, title: string, screen: keyof typeof plannedScreens): RouteObject {
  return {
    ...at(path),
    handle: { title } satisfies RouteHandle,
    element: <PlannedScreen screen={plannedScreens[screen]} />,
  }
}

function moved(path: string, to: string): RouteObject {
  return { path, element: <Navigate to={to} replace /> }
}

function at(path: string): { index: true } | { path: string } {
  return path === '' ? { index: true } : { path }
}
