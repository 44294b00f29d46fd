import { useState } from 'react'
import { healthParts, overallLabels, partLabels } from '../../lib/health-status.ts'
import { Age } from '../../ui/Age.tsx'
import { DateTime } from '../../ui/DateTime.tsx'
import { Popup } from '../../ui/Popup.tsx'
import { SectionBoundary } from '../../ui/SectionBoundary.tsx'
import { StatusChip } from '../../ui/StatusChip.tsx'
import css from './top-bar.module.css'
import { useHealth } from './use-health.ts'

const partLifetimeMs = 2 * 60_000

export function HealthChip() {
  const { health, offlineSince, failed } = useHealth()
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  const unknown = !health || failed
  const { label, tone } = unknown
    ? { label: failed ? 'Unavailable' : 'Checking', tone: 'neutral' as const }
    : overallLabels[health.overall]
  return (
    <>
      <button
        type="button"
        className={css['chip']}
        aria-label={`System health: ${label}`}
        aria-haspopup="dialog"
        aria-expanded={anchor !== null}
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        <StatusChip tone={tone} label={label} />
      </button>
      {anchor ? (
        <Popup anchor={anchor} label="System health" onClose={() => setAnchor(null)}>
          <SectionBoundary>
            <Parts health={health} note={noteOf(offlineSince, failed)} />
          </SectionBoundary>
        </Popup>
      ) : null}
    </>
  )
}

function noteOf(offlineSince: number | undefined, failed: boolean): string | undefined {
  if (offlineSince !== undefined) return 'The console does not answer. Last known state:'
  return failed ? 'The last check failed to load. Previous check:' : undefined
}

type PartsProps = { health: ReturnType<typeof useHealth>['health']; note: string | undefined }

function Parts({ health, note }: PartsProps) {
  if (!health) return <div className={css['head']}>{note ? 'Unavailable' : 'Checking'}</div>
  return (
    <>
      <div className={css['head']}>
        {overallLabels[health.overall].label}
        <span className={css['muted']}>
          since <DateTime at={health.since} show="date-time" />
        </span>
      </div>
      {note ? <p className={css['part']}>{note}</p> : null}
      <ul className={css['list']}>
        {healthParts.map(([name, label]) => {
          const part = health[name]
          return (
            <li key={name} className={css['part']}>
              <span>{label}</span>
              <StatusChip {...partLabels[part.status]} />
              <p>{part.detail}</p>
              <Age at={part.checked_at} lifetimeMs={partLifetimeMs} />
            </li>
          )
        })}
      </ul>
    </>
  )
}
