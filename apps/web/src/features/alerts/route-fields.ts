import type * as channels from '@agency/contract/descriptors/channels'
import type { Channel, Route } from '@agency/contract/types'
import type { Input } from '../../lib/api.ts'
import type { Problems } from '../../lib/form/use-edit-form.ts'
import { browserZone } from '../../lib/format-time.ts'

type Chosen = { id: string; name: string }

export type RouteFields = {
  channelId: string
  minSeverity: Route['min_severity']
  customers: Chosen[]
  plans: Chosen[]
  isQuiet: boolean
  quietFrom: string
  quietUntil: string
  timeZone: string
}

const most = 50

export function routeFields(all: readonly Channel[], route?: Route): RouteFields {
  const { from, until, time_zone } = route?.quiet ?? { from: '22:00', until: '07:00', time_zone: browserZone() }
  return {
    channelId: route?.channel_id ?? all[0]?.id ?? '',
    minSeverity: route?.min_severity ?? 'warning',
    customers: [...(route?.customers ?? [])],
    plans: [...(route?.plans ?? [])],
    isQuiet: route ? route.quiet !== null : false,
    ...{ quietFrom: from, quietUntil: until, timeZone: time_zone },
  }
}

const isTime = (text: string) => /^([01]\d|2[0-3]):[0-5]\d$/.test(text)

export function routeProblems(fields: RouteFields): Problems<RouteFields> {
  const { customers, plans, isQuiet, quietFrom, quietUntil } = fields
  const times = isQuiet && {
    quietFrom: isTime(quietFrom) ? undefined : 'Enter a time',
    quietUntil: isTime(quietUntil) ? (quietFrom === quietUntil ? 'Enter another time' : undefined) : 'Enter a time',
  }
  return {
    customers: customers.length > most ? `Choose ${most} customers at most` : undefined,
    plans: plans.length > most ? `Choose ${most} plans at most` : undefined,
    ...times,
  }
}

const quietOf = ({ isQuiet, quietFrom, quietUntil, timeZone }: RouteFields) =>
  isQuiet ? { from: quietFrom, until: quietUntil, time_zone: timeZone } : null

const idsOf = (chosen: readonly Chosen[]): string[] => chosen.map(({ id }) => id)

export const bodyOf = (fields: RouteFields) => ({
  min_severity: fields.minSeverity,
  customer_ids: idsOf(fields.customers),
  plan_ids: idsOf(fields.plans),
  quiet: quietOf(fields),
})

/** null while what is typed is no route. */
export function previewOf(fields: RouteFields): Input<typeof channels.previewRoute>['query'] | null {
  if (Object.values(routeProblems(fields)).some((problem) => problem !== undefined)) return null
  const quiet = quietOf(fields)
  return {
    min_severity: fields.minSeverity,
    customer_ids: idsOf(fields.customers).join(',') || undefined,
    plan_ids: idsOf(fields.plans).join(',') || undefined,
    ...(quiet && { quiet_from: quiet.from, quiet_until: quiet.until, time_zone: quiet.time_zone }),
  }
}
