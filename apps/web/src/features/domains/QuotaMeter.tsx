import { formatCount } from '../../lib/format.ts'
import { formatTime } from '../../lib/format-time.ts'
import { LinearGauge } from '../../ui/LinearGauge.tsx'
import css from './domains.module.css'

type Used = { used: number; limit: number; blocked_until: string | null }
type Props = { quota: { window_seconds: number; rest: Used; graphql: Used } }

const amberFrom = 0.8

function toneOf({ used, limit, blocked_until }: Used) {
  if (blocked_until !== null || used >= limit) return 'error'
  return used >= limit * amberFrom ? 'warning' : 'info'
}

/** What of the allowance was asked of Cloudflare within its window, by all of the console. */
export function QuotaMeter({ quota: { window_seconds, rest, graphql } }: Props) {
  const gauges = [
    { label: 'Cloudflare calls', used: rest },
    { label: 'Analytics queries', used: graphql },
  ]
  return (
    <section className={css['quota']} aria-label="Calls to Cloudflare">
      {gauges.map(({ label, used }) => (
        <LinearGauge
          key={label}
          label={label}
          value={used.used}
          max={used.limit}
          tone={toneOf(used)}
          title={
            used.blocked_until === null
              ? `In the last ${window_seconds / 60} minutes, by the whole console`
              : 'Cloudflare asked the console to wait'
          }
          text={
            used.blocked_until === null
              ? `${formatCount(used.used)} of ${formatCount(used.limit)}`
              : `Waits until ${formatTime(used.blocked_until)}`
          }
        />
      ))}
    </section>
  )
}
