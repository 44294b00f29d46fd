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
  suspending: { label: 'Going offline', tone: 'info', title: 'It is being taken offline at its provider' },
  resuming: { label: 'Coming back', tone: 'info', title: 'It is being put back online at its provider' },
  still_served: {
    label: 'Still served',
    tone: 'error',
    title: 'It is suspended here, but its provider cannot take it offline: visitors still see it',
  },
}
