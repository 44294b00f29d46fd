import type { AppContext } from '../../context.ts'
import { invalidParameter, notFound } from '../../platform/errors.ts'
import { findSecondsIn } from '../monitoring/index.ts'
import {
  findCustomer,
  findDeployments,
  findIncidents,
  findOutages,
  findSites,
  type Outage,
  type ReportCustomer,
  type ReportedDeployment,
  type ReportedIncident,
} from './queries.ts'

/** Hours are kept for as long. */
const mostMonths = 13

export type SiteFigures = {
  id: string
  domain: string
  known_seconds: number
  down_seconds: number
  maintenance_seconds: number
  unknown_seconds: number
  response_ms: number | null
}

export type SpanReport = {
  company: string
  customer: ReportCustomer
  from: Date
  /** The end of the span, or now while it runs. */
  to: Date
  isRunning: boolean
  sites: SiteFigures[]
  outages: Outage[]
  incidents: ReportedIncident[]
  deployments: ReportedDeployment[]
}
export type Report = SpanReport & { month: string }

const monthStart = (month: string): Date => new Date(`${month}-01T00:00:00Z`)
const addMonths = (at: Date, months: number): Date =>
  new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + months, 1))

const monthOf = (at: Date): string => at.toISOString().slice(0, 7)
export const lastMonth = (now: number): string => monthOf(addMonths(new Date(now), -1))

/** Without maintenance and unknown time; null where nothing is known. */
export const uptimeOf = ({ known_seconds, down_seconds }: Pick<SiteFigures, 'known_seconds' | 'down_seconds'>) =>
  known_seconds === 0 ? null : (100 * (known_seconds - down_seconds)) / known_seconds

export const totalOf = (sites: readonly SiteFigures[]): Pick<SiteFigures, 'known_seconds' | 'down_seconds'> => ({
  known_seconds: sites.reduce((sum, site) => sum + site.known_seconds, 0),
  down_seconds: sites.reduce((sum, site) => sum + site.down_seconds, 0),
})

const nothing = { known_seconds: 0, down_seconds: 0, maintenance_seconds: 0 }

type Ctx = Pick<AppContext, 'db' | 'clock' | 'config'>

/** How the sites of one customer did in a month. */
export async function findReport(ctx: Ctx, customerId: string, month: string): Promise<Report> {
  const now = new Date(ctx.clock())
  const from = monthStart(month)
  if (from > now) throw invalidParameter('month', 'has not begun yet')
  if (from < addMonths(now, -mostMonths)) throw invalidParameter('month', `is more than ${mostMonths} months ago`)
  return { ...(await findSpanReport(ctx, customerId, { from, to: addMonths(from, 1) })), month }
}

/** The same between any two moments. Nothing of anybody else is read. */
export async function findSpanReport(
  ctx: Ctx,
  customerId: string,
  { from, to: end }: { from: Date; to: Date },
): Promise<SpanReport> {
  const now = new Date(ctx.clock())
  const customer = await findCustomer(ctx, customerId)
  if (!customer) throw notFound(`Customer ${customerId}`)
  const to = end < now ? end : now
  const [sites, outages, incidents, deployments] = await Promise.all([
    findSites(ctx, customerId, from, to),
    findOutages(ctx, customerId, from, to),
    findIncidents(ctx, customerId, from, to),
    findDeployments(ctx, customerId, from, to),
  ])
  const ids = sites.map(({ id }) => id)
  const { seconds } = await findSecondsIn(ctx, ids, { from, to })
  return {
    ...{ company: ctx.config.settings.companyName, customer, from, to, isRunning: end > now },
    sites: sites.map(({ id, domain, created_at, response_ms }) => {
      const { known_seconds, down_seconds, maintenance_seconds } = seconds.get(id) ?? nothing
      const all = Math.round((to.getTime() - Math.max(from.getTime(), created_at.getTime())) / 1000)
      const unknown_seconds = Math.max(0, all - known_seconds - maintenance_seconds)
      return { id, domain, known_seconds, down_seconds, maintenance_seconds, unknown_seconds, response_ms }
    }),
    ...{ outages, incidents, deployments },
  }
}
