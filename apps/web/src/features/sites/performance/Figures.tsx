import type { SitePerformance } from '@agency/contract/types'
import { formatDuration, formatPercent } from '../../../lib/format.ts'
import { formatSpan } from '../../../lib/format-time.ts'
import { healthChips } from '../../../lib/site-status.ts'
import { DateTime } from '../../../ui/DateTime.tsx'
import { StatCard } from '../../../ui/StatCard.tsx'
import { StatusChip } from '../../../ui/StatusChip.tsx'
import { scoreTone } from '../measured.ts'
import css from './performance.module.css'

const unknown = '–'

export function Figures({ performance }: { performance: SitePerformance }) {
  const { health, response_ms, score, scored_at, uptime, last } = performance
  return (
    <div className={css['figures']}>
      <StatCard
        label="Health"
        value={<StatusChip {...healthChips[health.status]} />}
        note={<DateTime at={health.checked_at} show="relative" />}
        asOf={health.checked_at}
      />
      <StatCard
        label="Response time"
        value={response_ms === null ? unknown : formatDuration(response_ms)}
        state={response_ms === null ? 'unavailable' : 'ready'}
        note={last?.ttfb_ms == null ? null : `First byte after ${formatDuration(last.ttfb_ms)}`}
        asOf={health.checked_at}
      />
      <StatCard
        label="Uptime"
        value={uptime.percent === null ? unknown : formatPercent(uptime.percent, 2)}
        state={uptime.percent === null ? 'unavailable' : 'ready'}
        note={uptimeNote(uptime)}
        asOf={performance.until}
      />
      <StatCard
        label="Performance score"
        value={score ?? unknown}
        state={score === null ? 'unavailable' : 'ready'}
        tone={score === null ? 'neutral' : scoreTone(score)}
        note={score === null ? 'Needs three successful checks in an hour' : 'Median of the last probes'}
        asOf={scored_at}
      />
    </div>
  )
}

function uptimeNote({ known_seconds, down_seconds, unknown_seconds }: SitePerformance['uptime']): string {
  if (known_seconds === 0) return `Unknown for ${formatSpan(unknown_seconds)}`
  const known = `${formatSpan(down_seconds)} down of ${formatSpan(known_seconds)}`
  return unknown_seconds > known_seconds ? `${known}, ${formatSpan(unknown_seconds)} unknown` : known
}
