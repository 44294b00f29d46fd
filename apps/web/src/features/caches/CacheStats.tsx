import type { CacheOverview } from '@agency/contract/types'
import { formatCount, formatNumber, formatPercent } from '../../lib/format.ts'
import { DateTime } from '../../ui/DateTime.tsx'
import { StatCard } from '../../ui/StatCard.tsx'
import css from './caches.module.css'

const rate = (value: number | null) => (value === null ? '—' : formatPercent(value))

export function CacheStats({ overview, hasFailed }: { overview: CacheOverview | undefined; hasFailed: boolean }) {
  const stats = overview?.stats
  const state = stats ? 'ready' : hasFailed ? 'unavailable' : 'loading'
  const asOf = overview?.as_of ?? null
  return (
    <section className={css['stats']} aria-label="Cache statistics">
      <StatCard label="Total keys" {...{ state, asOf }} value={stats ? formatCount(stats.total_keys) : '—'} />
      <StatCard
        label="Memory usage"
        {...{ state, asOf }}
        value={stats ? `${formatNumber(stats.memory_usage, 2)} MB` : '—'}
      />
      <StatCard label="Hit rate" {...{ state, asOf }} value={stats ? rate(stats.hit_rate) : '—'} note="last 24 h" />
      <StatCard label="Miss rate" {...{ state, asOf }} value={stats ? rate(stats.miss_rate) : '—'} note="last 24 h" />
      <StatCard
        label="Last eviction"
        {...{ state, asOf }}
        value={stats ? <DateTime at={stats.last_eviction} show="relative" /> : '—'}
      />
    </section>
  )
}
