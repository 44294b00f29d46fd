import type { SystemHealth } from '@agency/contract/types'
import { formatCount, formatPercent } from '../../lib/format.ts'
import { formatSpan } from '../../lib/format-time.ts'
import { overallLabels } from '../../lib/health-status.ts'
import { StatCard } from '../../ui/StatCard.tsx'
import css from './health.module.css'

type Props = { health: SystemHealth | undefined; failed: boolean }

export function HealthCards({ health, failed }: Props) {
  const state = health ? 'ready' : failed ? 'unavailable' : 'loading'
  const overall = health ? overallLabels[health.overall] : overallLabels.degraded
  const percent = health?.uptime_percent_24h ?? null
  const restarts = health?.unexpected_restarts ?? null
  const asOf = health?.lastCheck ?? null
  return (
    <div className={css['cards']}>
      <StatCard
        label="Overall"
        state={state}
        value={overall.label}
        tone={health && overall.tone !== 'success' ? overall.tone : 'neutral'}
        asOf={asOf}
      />
      <StatCard
        label="Uptime, 24 hours"
        state={health && percent === null ? 'unavailable' : state}
        value={percent === null ? '–' : formatPercent(percent, 2)}
        note={health && percent === null ? 'Not measured yet' : null}
        asOf={asOf}
      />
      <StatCard
        label="Running for"
        state={state}
        value={health ? formatSpan(health.uptime) : 'Unknown'}
        note={health ? 'This console process' : null}
        asOf={asOf}
      />
      <StatCard
        label="Unexpected restarts"
        state={state}
        value={restarts === null ? '–' : formatCount(restarts)}
        tone={restarts ? 'warning' : 'neutral'}
        note={restarts ? 'See the server log (level fatal)' : null}
        asOf={asOf}
      />
    </div>
  )
}
