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
