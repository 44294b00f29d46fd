import { sql } from 'kysely'
import type { AppContext } from '../../../context.ts'
import { findOutage } from '../../probes/index.ts'
import type { Condition, RulesInForce } from '../condition.ts'
import { ruleDefinitions } from '../rules.ts'

type Service = { key: string; status: string; detail: string }

/** Rules of their own watch these, with a figure that can be set. */
const watchedElsewhere = ['webhooks', 'mirror']
/** What was looked at longer ago tells nothing of now. */
export const freshMs = 90_000

const serviceNames: Record<string, string> = {
  database: 'The database',
  jobs: 'The job queue',
  cache: 'The answer cache',
  storage: 'The disk',
  network: 'The network',
  event_loop: 'The event loop',
  mail: 'Mail delivery',
  stripe: 'The Stripe API',
  cloudflare: 'The Cloudflare API',
}

async function findServiceConditions({ db, clock }: AppContext): Promise<Condition[]> {
  const { rows } = await sql<Service>`
    select key, status, detail from monitored_services
    where status in ('degraded', 'unhealthy') and checked_at > ${new Date(clock() - freshMs)}
      and key <> all(${watchedElsewhere}::text[])
    order by key`.execute(db)
  return rows.map(({ key, status, detail }) => {
    const name = serviceNames[key] ?? key
    return {
      rule: `service.${status}`,
      subject: 'service' as const,
      subjectId: key,
      subjectName: name,
      link: '/admin/monitoring/services',
      title: status === 'unhealthy' ? `${name} fails` : `${name} is degraded`,
      detail,
      siteIds: [],
    }
  })
}

export const averagedOverMs = 5 * 60_000
/** Fewer measurements are a moment, not a state. */
export const fewestMinutes = 3

async function findMetricConditions({ db, clock }: AppContext, rules: RulesInForce): Promise<Condition[]> {
  const { rows } = await sql<{ metric: string; value: number }>`
    select metric, avg(value) as value from metric_minutes
    where minute > ${new Date(clock() - averagedOverMs)} group by metric having count(*) >= ${fewestMinutes}`.execute(
    db,
  )
  const measured = new Map(rows.map(({ metric, value }) => [metric, value]))
  return ruleDefinitions.flatMap((definition) => {
    const rule = rules.get(definition.key)
    const value = rule?.metric === undefined ? undefined : measured.get(rule.metric)
    if (!rule || value === undefined || rule.value === null || value <= rule.value) return []
    const unit = rule.threshold?.unit ?? ''
    const text = (figure: number) => `${Math.round(figure * 10) / 10}${unit === '%' ? '%' : ` ${unit}`}`
    return [
      {
        rule: rule.key,
        subject: 'metric' as const,
        subjectId: rule.metric ?? rule.key,
        subjectName: rule.name,
        link: '/admin/metrics',
        title: `${rule.name} above ${text(rule.value)}`,
        detail: `${text(value)} on average over the last 5 minutes`,
        siteIds: [],
      },
    ]
  })
}

async function findWayOut(ctx: AppContext): Promise<Condition[]> {
  const outage = await findOutage(ctx)
  if (!outage) return []
  return [
    {
      rule: 'console.way_out',
      subject: 'console',
      subjectId: 'way_out',
      subjectName: 'This console',
      link: '/admin/health',
      title: 'Sites cannot be checked from here',
      detail: `${outage.detail}. Every site keeps its last known state; the time counts as unknown.`,
      siteIds: [],
    },
  ]
}

/** The alert goes the other ways: see `aboutChannel`. */
async function findDeadChannels({ db }: AppContext): Promise<Condition[]> {
  const { rows } = await sql<{ id: string; name: string; error: string | null }>`
    select id, name, last_error as error from notification_channels
    where is_enabled and dead_since is not null order by id`.execute(db)
  return rows.map(({ id, name, error }) => ({
    rule: 'channel.failing',
    subject: 'console' as const,
    subjectId: id,
    subjectName: name,
    link: '/admin/alerts?tab=channels',
    title: `The channel ${name} cannot be reached`,
    detail: error ?? '',
    siteIds: [],
  }))
}

export async function findConsoleConditions(ctx: AppContext, rules: RulesInForce): Promise<Condition[]> {
  const found = await Promise.all([
    findServiceConditions(ctx),
    findMetricConditions(ctx, rules),
    findWayOut(ctx),
    findDeadChannels(ctx),
  ])
  return found.flat()
}
