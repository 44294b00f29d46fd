import type { ReportDelivery, ReportSchedule, ScheduledReport } from '@agency/contract/types'

export const reportLabels: Record<ScheduledReport, string> = {
  revenue: 'Revenue',
  customers: 'Customers',
  usage: 'Usage',
  performance: 'Performance',
  customer: 'Website report',
}

export const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const

export const stateChips = {
  active: { label: 'Active', tone: 'success' },
  paused: { label: 'Paused', tone: 'neutral' },
  stopped: { label: 'Stopped', tone: 'error' },
} as const satisfies Record<ReportSchedule['state'], object>

export const deliveryChips = {
  open: { label: 'Sending', tone: 'info' },
  done: { label: 'Done', tone: 'success' },
  failed: { label: 'Not sent', tone: 'error' },
} as const satisfies Record<ReportDelivery['state'], object>

export const receiverChips = {
  waiting: { label: 'Waiting', tone: 'info' },
  queued: { label: 'Queued', tone: 'info' },
  sent: { label: 'Sent', tone: 'success' },
  kept: { label: 'Not sent (no mail server)', tone: 'warning' },
  failed: { label: 'Failed', tone: 'error' },
  skipped: { label: 'Not sent', tone: 'warning' },
  forgotten: { label: 'No longer kept', tone: 'neutral' },
} as const satisfies Record<ReportDelivery['receivers'][number]['state'], object>

/** `8 AM`, `12 PM` */
export const hourText = (hour: number): string => `${hour % 12 === 0 ? 12 : hour % 12} ${hour < 12 ? 'AM' : 'PM'}`

export const zoneText = (zone: string): string => zone.replaceAll('_', ' ')

type Receiver = ReportSchedule['receivers'][number]

export const receiverName = ({ name, email, id }: Pick<Receiver, 'name' | 'email' | 'id'>): string =>
  name?.trim() || email || `Removed account (${id.slice(0, 8)})`

const isUnsubscribed = ({ unsubscribed_at }: Receiver): boolean => unsubscribed_at !== null

/** `Ada Lovelace, Ben Franklin (unsubscribed)` */
export const receiversText = ({ receivers }: ReportSchedule): string =>
  receivers.map((one) => `${receiverName(one)}${isUnsubscribed(one) ? ' (unsubscribed)' : ''}`).join(', ')

/** Why nothing is sent to anybody; null while somebody is left. */
export function nobodyLeft({ customer_id, receivers }: ReportSchedule): string | null {
  if (receivers.length === 0 || !receivers.every(isUnsubscribed)) return null
  return customer_id === null ? 'All receivers unsubscribed' : 'The customer unsubscribed'
}

/** `Weekly revenue report`, `Monthly website report for Castine Chandlery` */
export function nameOf({ report, cadence, receivers }: ReportSchedule): string {
  const often = cadence === 'weekly' ? 'Weekly' : 'Monthly'
  const [first] = receivers
  if (report === 'customer') return `${often} website report${first ? ` for ${receiverName(first)}` : ''}`
  return `${often} ${reportLabels[report].toLowerCase()} report`
}

const lastDays = 28

function dayText(day: number): string {
  if (day === 31) return 'Last day of the month'
  return `Day ${day} of the month${day > lastDays ? ' or its last' : ''}`
}

/** `Mondays, 8 AM, Europe/Berlin` */
export function whenText({ cadence, weekday, month_day, hour, time_zone }: ReportSchedule): string {
  const days = cadence === 'weekly' ? `${weekdays[weekday ?? 0]}s` : dayText(month_day ?? 1)
  return `${days}, ${hourText(hour)}, ${zoneText(time_zone)}`
}

/** What somebody should know before the next date. */
export function warningsOf(schedule: ReportSchedule): string[] {
  const { problem, receivers } = schedule
  const nobody = nobodyLeft(schedule)
  const problems = receivers.flatMap((one) => (one.problem === null ? [] : [`${one.problem}: gets nothing`]))
  return [
    ...(problem === null ? [] : [problem]),
    ...(nobody === null ? [] : [`${nobody}: nothing is sent`]),
    ...problems,
  ]
}

export const monthDayChoices = Array.from({ length: 31 }, (_, index) => ({
  value: String(index + 1),
  label: dayText(index + 1),
}))
