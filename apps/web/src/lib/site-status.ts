import type { HealthStatus, Site, SiteStatus, SslStatus } from '@agency/contract/types'
import type { Tone } from '../theme/palette.ts'

type Chip = { label: string; tone: Tone }

export const siteStatusChips: Record<SiteStatus, Chip> = {
  pending: { label: 'Pending', tone: 'info' },
  deploying: { label: 'Deploying', tone: 'info' },
  active: { label: 'Active', tone: 'success' },
  suspended: { label: 'Suspended', tone: 'warning' },
  maintenance: { label: 'Maintenance', tone: 'warning' },
  deleted: { label: 'Deleted', tone: 'neutral' },
}

export const healthChips: Record<HealthStatus, Chip> = {
  healthy: { label: 'Healthy', tone: 'success' },
  degraded: { label: 'Degraded', tone: 'warning' },
  down: { label: 'Down', tone: 'error' },
  unknown: { label: 'Unknown', tone: 'neutral' },
}

export const sslChips: Record<SslStatus, Chip> = {
  pending: { label: 'Pending', tone: 'info' },
  active: { label: 'Active', tone: 'success' },
  expired: { label: 'Expired', tone: 'error' },
  error: { label: 'Error', tone: 'error' },
}

/** What is told beside the status where the provider does something else than the status says. */
export const providerChips: Record<Site['at_provider'], (Chip & { title: string }) | null> = {
  served: null,
  offline: null,
  suspending: { label: 'Going offline', tone: 'info', title: 'Going offline' },
  resuming: { label: 'Going online', tone: 'info', title: 'Going back online' },
  still_served: {
    label: 'Still live',
    tone: 'error',
    title: 'Suspended here, but visitors still see the site',
  },
}
