import type { SystemAnalytics } from '@agency/contract/types'
import { formatCount } from '../../lib/format.ts'
import { spanWords } from '../../lib/utc-days.ts'
import { Age } from '../../ui/Age.tsx'

type Props = { data: SystemAnalytics; failed: boolean; onRetry: () => void }

/** Of which days the figures are, and how much of them is known. */
export function Coverage({ data: { since, until, as_of, overview, coverage }, failed, onRetry }: Props) {
  const { sites_measured: measured, sites_with_beacon: beacons, session_days, event_days, days, is_sampled } = coverage
  const words = [
    `${spanWords(since, until)} (days in UTC)`,
    `traffic of ${formatCount(measured)} of ${formatCount(overview.total_sites)} sites`,
    beacons > 0 ? `${formatCount(beacons)} with a beacon` : null,
    event_days < days ? `events of ${event_days} of ${days} days` : null,
    session_days < days ? `sessions of ${session_days} of ${days} days` : null,
    is_sampled ? 'sessions sampled' : null,
    coverage.is_cloudflare_connected ? null : 'Cloudflare is not connected',
  ]
  return (
    <>
      {words.filter((word) => word !== null).join(' · ')} <Age at={as_of} failed={failed} onRetry={onRetry} />
    </>
  )
}
