import type { ReportFigureSql } from '@agency/contract/report-sql'
import type { Days } from '../usage-reports/index.ts'
import { figure, literal } from './text.ts'

const daysOf = ({ first, last }: Days) => `day between ${literal(first)} and ${literal(last)}`

const ofDomains = (name: string, column: string, days: Days): ReportFigureSql =>
  figure(name, `select sum(${column}) as ${column} from domain_days\nwhere ${daysOf(days)}`)

const inUtc = ({ first, last }: Days, column: string) =>
  `${column} >= ${literal(`${first}T00:00:00Z`)} and ${column} < ${literal(`${last}T00:00:00Z`)}::timestamptz + interval '1 day'`

/** The figures of the usage report, of days in UTC. */
export const usageSql = (days: Days): ReportFigureSql[] => [
  ofDomains('Visits', 'visits', days),
  ofDomains('Page views', 'page_views', days),
  ofDomains('Requests', 'requests', days),
  ofDomains('Bandwidth', 'bytes', days),
  figure(
    'Cache share',
    `with known as (
  select day, sum(requests) as requests, sum(cached_requests) as cached from domain_days
  where ${daysOf(days)} group by day having count(cached_requests) > 0
)
select 100.0 * sum(cached) / nullif(sum(requests), 0) as percent from known`,
  ),
  figure(
    'Deployments',
    `select count(*) as deployments from deployments\nwhere started_at is not null and ${inUtc(days, 'completed_at')}`,
  ),
  figure(
    'Build minutes',
    `select round(coalesce(sum(extract(epoch from completed_at - started_at)), 0) / 60, 1) as minutes from deployments
where started_at is not null and ${inUtc(days, 'completed_at')}`,
  ),
  figure(
    'Storage',
    `select sum(storage_used) * 1024 * 1024 as bytes from sites where deleted_at is null`,
    'Storage, now',
  ),
  figure(
    'Charged, fees and refunds',
    `select currency, coalesce(sum(amount) filter (where part = 'charges'), 0) as price,
  sum(fee) + coalesce(-sum(amount) filter (where part = 'fees'), 0) as fees,
  coalesce(-sum(amount) filter (where part in ('refunds', 'disputes')), 0) as refunds
from balance_hours
where part in ('charges', 'refunds', 'disputes', 'fees') and transactions > 0 and ${inUtc(days, 'hour')}
group by currency order by currency`,
  ),
]

/** The figures of the performance report, of days in UTC; of today the hours that are over. */
export const performanceSql = (days: Days): ReportFigureSql[] => [
  figure(
    'Uptime',
    `select 100.0 * (1 - sum(down_seconds)::numeric / nullif(sum(known_seconds), 0)) as percent from monitored_days\nwhere ${daysOf(days)}`,
  ),
  figure(
    'Response time',
    `select sum(response_us) / nullif(sum(answered), 0) / 1000 as milliseconds from monitored_days\nwhere answered > 0 and ${daysOf(days)}`,
  ),
  figure(
    'Uptime and response time by day',
    `select day, 100.0 * (1 - down_seconds::numeric / nullif(known_seconds, 0)) as uptime, response_us / nullif(answered, 0) / 1000 as response_time
from monitored_days where ${daysOf(days)} order by day`,
  ),
  ofDomains('Requests', 'requests', days),
  ofDomains('Errors', 'server_errors', days),
]
