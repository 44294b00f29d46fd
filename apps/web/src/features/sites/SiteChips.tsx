import type { Site } from '@agency/contract/types'
import { formatDateTime } from '../../lib/format-time.ts'
import { healthChips, providerChips, siteStatusChips, sslChips } from '../../lib/site-status.ts'
import { StatusChip } from '../../ui/StatusChip.tsx'
import { Measured } from './Measured.tsx'
import { healthMeasure, sslMeasure } from './measured.ts'
import css from './sites.module.css'

export function SiteStatusChip({ site }: { site: Site }) {
  const beside = providerChips[site.at_provider]
  const title = statusTitle(site)
  return (
    <span className={css['chips']}>
      <StatusChip {...siteStatusChips[site.status]} {...(title ? { title } : {})} />
      {beside ? <StatusChip {...beside} /> : null}
    </span>
  )
}

export function HealthChip({ site }: { site: Site }) {
  return (
    <Measured measure={() => healthMeasure(site)}>
      <StatusChip {...healthChips[site.health_status]} />
    </Measured>
  )
}

export function SslChip({ site }: { site: Site }) {
  return (
    <Measured measure={() => sslMeasure(site)}>
      <StatusChip {...sslChips[site.ssl_status]} />
    </Measured>
  )
}

function statusTitle({ status_reason, status_until }: Site): string | undefined {
  const until = status_until ? `Set by hand until ${formatDateTime(status_until)}` : null
  return [status_reason, until].filter((part) => part !== null).join('. ') || undefined
}
