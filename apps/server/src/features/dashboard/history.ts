import type { DashboardHistory } from '@agency/contract/dashboard'
import type { RequestContext } from '../../context.ts'
import {
  findCurrency,
  findCustomersByDay,
  findRevenueByDay,
  findSitesByDay,
  findSubscriptionsByDay,
  findUptimeByDay,
} from './queries/history.ts'

const shownDays = 30
const dayMs = 86_400_000

/** The figures of the cards day by day, as far as whoever asks may see them. */
export async function getHistory({ pool, clock, actor }: RequestContext): Promise<DashboardHistory> {
  const now = clock()
  const days = Array.from({ length: shownDays }, (_, index) =>
    new Date(now - (shownDays - 1 - index) * dayMs).toISOString().slice(0, 10),
  )
  const last = new Date(now).toISOString().slice(0, 10)
  const [seesSites, seesMoney] = [actor.permissions.has('sites.read'), actor.permissions.has('billing.read')]
  const currency = await findCurrency(pool)
  const [sites, subscriptions, revenue, uptime, customers] = await Promise.all([
    seesSites ? findSitesByDay(pool, last, shownDays) : null,
    seesMoney ? findSubscriptionsByDay(pool, last, shownDays) : null,
    seesMoney ? findRevenueByDay(pool, last, shownDays, currency) : null,
    findUptimeByDay(pool, last, shownDays),
    seesMoney ? findCustomersByDay(pool, last, shownDays) : null,
  ])
  return { days, sites, subscriptions, revenue, currency, uptime, new_customers: customers }
}
