import type { CacheOverview } from '@agency/contract/types'
import { formatCount, formatCountShort } from '../../lib/format.ts'
import { formatDateTime, formatTime } from '../../lib/format-time.ts'
import { ChartPanel } from '../../ui/chart/ChartPanel.tsx'
import { chartColors } from '../../ui/chart/colors.ts'
import { cacheLabels } from './cache-words.ts'
import type { CacheSearch } from './caches-list.ts'

const slotMs = 10 * 60_000
const shownMs = 24 * 3_600_000
type Count = 'hits' | 'misses' | 'evictions'
const lines: readonly { id: Count; label: string; color: string }[] = [
  { id: 'hits', label: 'Hits', color: chartColors.gain },
  { id: 'misses', label: 'Misses', color: chartColors.main },
  { id: 'evictions', label: 'Evictions', color: chartColors.loss },
]

/** Every ten minutes of the last 24 hours, also those in which nothing was asked. */
function slotsUntil(now: number): string[] {
  const last = Math.floor(now / slotMs) * slotMs
  const count = shownMs / slotMs
  return Array.from({ length: count }, (_, index) => new Date(last - (count - 1 - index) * slotMs).toISOString())
}

type Props = { overview: CacheOverview; cache: CacheSearch['cache']; now: number }

export function CacheHistory({ overview: { history, as_of }, cache, now }: Props) {
  const own = history.filter(({ name }) => cache === 'all' || name === cache)
  const slots = slotsUntil(now)
  const first = own[0] === undefined ? Number.POSITIVE_INFINITY : Date.parse(own[0].at)
  const sumOf = (count: Count) => {
    const sums = new Map<number, number>()
    for (const point of own) sums.set(Date.parse(point.at), (sums.get(Date.parse(point.at)) ?? 0) + point[count])
    // Nobody counted before the first count; after it a slot without one is a slot in which nothing was asked.
    return slots.map((at) => (Date.parse(at) < first ? null : (sums.get(Date.parse(at)) ?? 0)))
  }
  return (
    <ChartPanel
      title={cache === 'all' ? 'Last 24 hours' : `Last 24 hours: ${cacheLabels[cache]}`}
      asOf={as_of}
      first="From"
      slots={slots}
      lines={lines.map((line) => ({ ...line, values: sumOf(line.id) }))}
      scale={{ format: formatCount, short: formatCountShort, base: 10 }}
      tickOf={formatTime}
      nameOf={formatDateTime}
      empty={own.length === 0 ? 'Nothing was asked of the caches yet.' : undefined}
    />
  )
}
