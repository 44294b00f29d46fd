import type { Permission } from '@agency/contract/types'
import { paths } from '../lib/paths.ts'
import { accessOf, holdsOne, mayOpen } from '../lib/screen-access.ts'
import { tabTitleOf } from './preload.ts'

export type NavItem = { label: string; path: string }
export type NavGroup = { label: string; items: readonly NavItem[]; startsOpen?: boolean }
export type NavEntry = NavItem | NavGroup

export const navigation: readonly NavEntry[] = [
  { label: 'Dashboard', path: paths.dashboard },
  { label: 'System Health', path: paths.health },
  {
    label: 'Customer Management',
    startsOpen: true,
    items: [
      { label: 'All Customers', path: paths.customers },
      { label: 'Customer Sites', path: paths.sites },
      { label: 'Cloudflare Domains', path: paths.domains },
      { label: 'User Impersonation', path: paths.impersonation },
    ],
  },
  {
    label: 'Billing & Subscriptions',
    items: [
      { label: 'Subscriptions', path: paths.subscriptions },
      { label: 'Payment History', path: paths.payments },
      { label: 'Recent Purchases', path: paths.purchases },
      { label: 'Purchase Reset', path: paths.purchaseReset },
    ],
  },
  {
    label: 'Monitoring',
    items: [
      { label: 'Site Monitor', path: paths.monitor },
      { label: 'System Metrics', path: paths.metrics },
      { label: 'Deployment Status', path: paths.deployments },
      { label: 'Alerts', path: paths.alerts },
      { label: 'Incidents', path: paths.incidents },
      { label: 'Money Drift', path: paths.moneyDrift },
    ],
  },
  {
    label: 'Reports & Analytics',
    startsOpen: true,
    items: [
      { label: 'Revenue', path: paths.revenueReport },
      { label: 'Usage', path: paths.usageReport },
      { label: 'Customers', path: paths.customersReport },
      { label: 'Performance', path: paths.performanceReport },
      { label: 'System Analytics', path: paths.analytics },
    ],
  },
  {
    label: 'Admin Tools',
    startsOpen: true,
    items: [
      { label: 'Database Query', path: paths.database },
      { label: 'Cache Management', path: paths.cache },
      { label: 'Queue Management', path: paths.queue },
      { label: 'Backup/Restore', path: paths.backup },
    ],
  },
  {
    label: 'System',
    items: [
      { label: 'Admin Users', path: paths.users },
      { label: 'Feature Flags', path: paths.features },
      { label: 'API Keys', path: paths.apiKeys },
      { label: 'System Config', path: paths.config },
      { label: 'Audit Logs', path: paths.audit },
      { label: 'Security', path: paths.security },
    ],
  },
]

// Screens without an entry of their own stand under the one that leads to them.
const homes: readonly [start: string, path: string][] = [
  ['/admin/monitoring/', paths.monitor],
  ['/admin/incidents/', paths.incidents],
  ['/admin/domains/', paths.domains],
  ['/admin/impersonation/', paths.impersonation],
  [paths.tools, paths.database],
  [paths.reports, paths.revenueReport],
]

export function isGroup(entry: NavEntry): entry is NavGroup {
  return 'items' in entry
}

/** The entries that somebody who holds these may open; a group without any is not there. */
export function navigationOf(held: readonly Permission[]): NavEntry[] {
  return navigation.flatMap((entry): NavEntry[] => {
    if (!isGroup(entry)) return mayOpen(entry.path, held) ? [entry] : []
    const items = entry.items.filter(({ path }) => mayOpen(path, held))
    return items.length > 0 ? [{ ...entry, items }] : []
  })
}

/** Where somebody starts: on the dashboard, else on the first screen that their own permissions open, else on the first of all. */
export function homeOf(held: readonly Permission[]): string {
  const open = navigationOf(held).flatMap((entry) => (isGroup(entry) ? entry.items : [entry]))
  const isOwn = ({ path }: NavItem) => !holdsOne(accessOf(path), [])
  return (open.find(isOwn) ?? open[0])?.path ?? paths.profile
}

type Place = { item: NavItem; group?: NavGroup }

/** The entry that is current at an address, with the group that holds it; of a tab that is a screen of its own, the tab. */
export function currentEntry(pathname: string, search = ''): Place | undefined {
  const place = placeOf(pathname)
  const label = tabTitleOf(pathname, search)
  return place && label ? { ...place, item: { label, path: pathname } } : place
}

function placeOf(pathname: string): Place | undefined {
  const wanted = allItems().some(({ item }) => item.path === pathname)
    ? pathname
    : homes.find(([start]) => pathname.startsWith(start))?.[1]
  return allItems().find(({ item }) => item.path === wanted)
}

function allItems(): Place[] {
  return navigation.flatMap((entry) =>
    isGroup(entry) ? entry.items.map((item) => ({ item, group: entry })) : [{ item: entry }],
  )
}
