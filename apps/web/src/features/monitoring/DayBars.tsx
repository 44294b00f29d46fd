import type { UptimeDay } from '@agency/contract/types'
import { useState } from 'react'
import { createPortal } from 'react-dom'
import { formatSpan } from '../../lib/format-time.ts'
import { useNow } from '../../lib/use-now.ts'
import { ChartTable } from '../../ui/chart/ChartTable.tsx'
import { Popup } from '../../ui/Popup.tsx'
import { formatUptime } from './measure.ts'
import css from './monitoring.module.css'
import { type Day, type DayState, dayName, daysSummary, dayWords, lastDays, shownDays } from './uptime-days.ts'

const step = 4
const height = 24
const barWidth = 3
// What is not known or does not count is also told by the bar's height.
const heights: Record<DayState, number> = { healthy: 24, degraded: 24, down: 24, maintenance: 14, unknown: 8 }

type Props = { days: readonly UptimeDay[]; name: string }

/** A bar for each of the last 90 days; pressed, the same as a table. */
export function DayBars({ days: measured, name }: Props) {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  const days = lastDays(measured, useNow())
  return (
    <>
      <button
        type="button"
        className={css['bars']}
        aria-label={`${name}, last ${shownDays} days: ${daysSummary(days)}. Show as table`}
        aria-haspopup="dialog"
        aria-expanded={anchor !== null}
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        <svg viewBox={`0 0 ${shownDays * step} ${height}`} preserveAspectRatio="none" aria-hidden="true">
          {days.map((day, index) => (
            <rect
              key={day.day}
              data-state={day.state}
              x={index * step}
              y={height - heights[day.state]}
              width={barWidth}
              height={heights[day.state]}
            >
              <title>{`${dayName(day.day)}: ${dayWords(day)}`}</title>
            </rect>
          ))}
        </svg>
      </button>
      {/* Outside of the row that it belongs to, whose look and clicks are not its own. */}
      {anchor
        ? createPortal(
            <DaysPopup anchor={anchor} name={name} days={days} onClose={() => setAnchor(null)} />,
            document.body,
          )
        : null}
    </>
  )
}

type PopupProps = { anchor: HTMLElement; name: string; days: readonly Day[]; onClose: () => void }

function DaysPopup({ anchor, name, days, onClose }: PopupProps) {
  const title = `${name}, last ${shownDays} days`
  return (
    <Popup wide anchor={anchor} label={title} onClose={onClose}>
      <div className={css['days']}>
        <h2>
          <bdi>{name}</bdi>
        </h2>
        <ChartTable title={title} first="Day (UTC)" columns={columns} rows={days.map(rowOf)} />
      </div>
    </Popup>
  )
}

const columns = [
  { label: 'Uptime' },
  { label: 'Down' },
  { label: 'Degraded' },
  { label: 'Maintenance' },
  { label: 'Unknown' },
]

const span = (seconds: number): string => (seconds === 0 ? '' : formatSpan(seconds))

function rowOf({ day, uptime, seconds }: Day) {
  return {
    at: day,
    name: dayName(day),
    cells: [
      uptime === null ? '—' : formatUptime(uptime),
      span(seconds.down),
      span(seconds.degraded),
      span(seconds.maintenance),
      span(seconds.unknown),
    ],
  }
}
