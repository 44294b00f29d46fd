import type { AlertSeverity } from '@agency/contract/monitoring'
import { quietUntil } from './quiet-hours.ts'

/** Customers that a message is about, with what they pay for. */
export type Concerned = { id: string; plans: readonly string[] }
export type Subject = { severity: AlertSeverity; customers: readonly Concerned[] }

/** As much of a route as decides. */
export type RouteRule = {
  min_severity: AlertSeverity
  customer_ids: readonly string[]
  plan_ids: readonly string[]
  quiet_from: number | null
  quiet_until: number | null
  time_zone: string | null
}

const rank: Record<AlertSeverity, number> = { info: 0, warning: 1, error: 2, critical: 3 }

/** Customer and plan must hold for one and the same customer. */
export function matches(route: RouteRule, { severity, customers }: Subject): boolean {
  if (rank[severity] < rank[route.min_severity]) return false
  const { customer_ids, plan_ids } = route
  if (customer_ids.length === 0 && plan_ids.length === 0) return true
  return customers.some(
    ({ id, plans }) =>
      (customer_ids.length === 0 || customer_ids.includes(id)) &&
      (plan_ids.length === 0 || plans.some((plan) => plan_ids.includes(plan))),
  )
}

/** Until when the message is held; null: it is sent at once. */
export function heldUntil(route: RouteRule, { severity }: Subject, now: number): Date | null {
  const { quiet_from: from, quiet_until: until, time_zone: timeZone } = route
  if (severity === 'critical' || from === null || until === null || timeZone === null) return null
  return quietUntil({ from, until, timeZone }, now)
}

/** Of several routes to a channel the one decides that sends first; undefined: none leads there. */
export function wayOf(routes: readonly RouteRule[], subject: Subject, now: number): Date | null | undefined {
  const ends = routes.filter((route) => matches(route, subject)).map((route) => heldUntil(route, subject, now))
  if (ends.length === 0) return undefined
  if (ends.includes(null)) return null
  return new Date(Math.min(...ends.map((end) => end?.getTime() ?? 0)))
}
