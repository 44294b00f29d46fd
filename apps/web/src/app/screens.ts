import { paths } from '../lib/paths.ts'
import type { TabLink } from '../ui/TabLinks.tsx'

export type Screen = {
  /** The heading of the screen. */
  heading: string
  /** What it will show, for as long as it is not built. */
  promise: string
  /** Its tabs that have a URL of their own. */
  tabs?: readonly TabLink[]
}

const reports: readonly TabLink[] = [
  { href: paths.revenueReport, label: 'Revenue' },
  { href: paths.customersReport, label: 'Customers' },
  { href: paths.usageReport, label: 'Usage' },
  { href: paths.performanceReport, label: 'Performance' },
  { href: paths.exports, label: 'Exports' },
]

const tools: readonly TabLink[] = [
  { href: paths.database, label: 'Database' },
  { href: paths.cache, label: 'Cache' },
  { href: paths.queue, label: 'Queues' },
  { href: paths.toolFeatures, label: 'Feature Flags' },
  { href: paths.toolApiKeys, label: 'API Keys' },
  { href: paths.backup, label: 'Backup' },
]

/** The screens that are still to be built. Each leaves this list with the commit that builds it. */
export const plannedScreens = {
  reports: {
    heading: 'Reports & Analytics',
    promise: 'revenue, customers, usage and performance over a period, each computed from the mirrored data',
    tabs: reports,
  },
  tools: {
    heading: 'Admin Tools',
    promise: 'the database query console, caches, queues and backups',
    tabs: tools,
  },
  settings: {
    heading: 'System Configuration',
    promise: 'the feature flags of the console',
    tabs: [
      { href: paths.features, label: 'Feature Flags' },
      { href: paths.apiKeys, label: 'API Keys' },
      { href: paths.config, label: 'System Config' },
    ],
  },
} as const satisfies Record<string, Screen>
