import type { PartStatus, SystemHealth } from '@agency/contract/types'
import type { ReactNode } from 'react'
import { formatSpan } from '../../lib/format-time.ts'
import { healthParts, partLabels } from '../../lib/health-status.ts'
import { paths } from '../../lib/paths.ts'
import { DateTime } from '../../ui/DateTime.tsx'
import { StatusChip } from '../../ui/StatusChip.tsx'
import { DashboardPanel } from './DashboardPanel.tsx'
import css from './dashboard.module.css'
import type { Dashboard } from './use-dashboard.ts'

export function HealthPanel({ board }: { board: Dashboard }) {
  return (
    <DashboardPanel
      title="System Health"
      section="health"
      board={board}
      lines={10}
      fallback={<UnknownHealth />}
      footer={<a href={paths.health}>Details</a>}
    >
      {({ health }) => <Parts health={health} />}
    </DashboardPanel>
  )
}

const restartsHelp = 'See the server log (level fatal).'

function Parts({ health }: { health: SystemHealth }) {
  return (
    <dl className={css['facts']}>
      {healthParts.map(([part, label]) => (
        <Line key={part} label={label} title={health[part].detail}>
          <StatusChip {...partLabels[health[part].status]} title={health[part].detail} />
        </Line>
      ))}
      <Line label="Uptime">{formatSpan(health.uptime)}</Line>
      {health.unexpected_restarts > 0 && (
        <Line label="Unexpected restarts" title={restartsHelp}>
          {health.unexpected_restarts}
        </Line>
      )}
      <Line label="Last proven restore" title="A weekly drill restores the newest backup into a database of its own">
        {health.backup_proven_at === null ? 'Never' : <DateTime at={health.backup_proven_at} show="relative" />}
      </Line>
      <Line label="Last check">
        <DateTime at={health.lastCheck} show="relative" />
      </Line>
    </dl>
  )
}

// What the screen assumes while nothing can be asked; each line says that it was not measured.
const assumed: readonly (readonly [string, PartStatus])[] = [
  ['Database', 'error'],
  ['Cache', 'error'],
  ['Storage', 'warning'],
  ['Network', 'error'],
]

function UnknownHealth() {
  return (
    <dl className={css['facts']}>
      {assumed.map(([label, status]) => (
        <Line key={label} label={label}>
          <StatusChip {...partLabels[status]} />
          <Unavailable />
        </Line>
      ))}
      <Line label="Uptime">
        Unknown
        <Unavailable />
      </Line>
      <Line label="Last check">
        Unknown
        <Unavailable />
      </Line>
    </dl>
  )
}

function Unavailable() {
  return <small className={css['unavailable']}>Unavailable</small>
}

function Line({ label, title, children }: { label: string; title?: string; children: ReactNode }) {
  return (
    <div className={css['fact']} title={title}>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  )
}
