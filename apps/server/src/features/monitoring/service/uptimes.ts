import type { MonitoredSite } from '@agency/contract/monitoring'
import { dayMs } from '../intervals.ts'
import type { Seen } from '../queries/uptime.ts'
import { uptimeOf } from '../uptime.ts'

/** Today and the days before it, so many in all. */
function lastDays(days: Seen['days'], count: number, now: number): Seen['days'] {
  const first = new Date(now - (count - 1) * dayMs).toISOString().slice(0, 10)
  return days.filter(({ day }) => day >= first)
}

/** Nothing is known of what was never looked at. */
export function uptimesOf(seen: Seen | undefined, now: number): Pick<MonitoredSite, 'uptime' | 'days'> {
  const days = seen?.days ?? []
  return {
    uptime: {
      day: seen?.day ? uptimeOf([seen.day]) : null,
      month: uptimeOf(lastDays(days, 30, now)),
      quarter: uptimeOf(days),
    },
    days: days.filter(({ known_seconds, maintenance_seconds }) => known_seconds + maintenance_seconds > 0),
  }
}
