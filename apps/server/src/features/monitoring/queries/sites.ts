import type { monitoring } from '@agency/contract'
import type { QueryOf, ResponseOf } from '@agency/contract/endpoint'
import type { MonitoredSite } from '@agency/contract/monitoring'
import type { Pool } from 'pg'
import { type List, readPage } from '../../../platform/keyset.ts'
import { literal, runStatement, Values } from '../../../platform/statements.ts'
import { searchTerm } from '../../billing/index.ts'

export type MonitoredSitesQuery = QueryOf<typeof monitoring.listMonitoredSites>
type Filters = Omit<MonitoredSitesQuery, 'limit' | 'starting_after' | 'ending_before'>

/** As the index has it. The newest response time has none: it changes with every look, and sites are few. */
const healthOrder = 'site_health_order(s.health_status, s.sort_name)'
const sortKeys: Record<Filters['sort'], string> = {
  health: healthOrder,
  site_name: 's.sort_name',
  response_ms: 'coalesce(s.response_ms, -1)',
  '-response_ms': 'coalesce(s.response_ms, -1)',
}

const activeAlerts = `(select count(*)::integer from alerts a
    where a.subject = 'site' and a.subject_id = s.id and a.status <> 'resolved')`

const columnsAt = (now: string) => `s.id, s.site_name, s.domain, s.customer_name, s.health_status as health,
  s.health_detail as detail,
  (select iso_utc(p.since) from site_probe_states p where p.site_id = s.id) as since,
  iso_utc(s.health_checked_at) as checked_at, s.response_ms, iso_utc(s.ssl_expires_at) as ssl_expires_at,
  site_in_maintenance(s.id, s.status, ${now}) as in_maintenance, ${activeAlerts} as active_alerts`

const whereOf = (values: Values, { search, health }: Filters): string[] => {
  const where = ['s.deleted_at is null']
  if (health !== undefined && health !== 'all') where.push(`s.health_status = ${literal(health)}`)
  const term = searchTerm(values, search)
  if (term) where.push(`s.doc like ${term.pattern}`)
  return where
}

function siteList(filters: Filters, now: Date): List {
  const values = new Values()
  const where = whereOf(values, filters)
  const isSearch = where.some((condition) => condition.startsWith('s.doc'))
  const health =
    filters.health === undefined || filters.health === 'all' ? '' : `where health_status = '${filters.health}'`
  const total = isSearch
    ? `(select count(*) from sites s where ${where.join(' and ')})`
    : `(select coalesce(sum(sites), 0)::bigint from site_counts ${health})`
  return {
    table: 'sites',
    alias: 's',
    order: { from: 'sites s', key: sortKeys[filters.sort], id: 's.id', isWhole: true },
    isDescending: filters.sort.startsWith('-'),
    where,
    columns: columnsAt(`${values.add(now)}::timestamptz`),
    joins: '',
    total,
    values,
    isPrepared: !isSearch,
  }
}

export type SitesPage = {
  sites: Omit<MonitoredSite, 'uptime' | 'days'>[]
  has_more: boolean
  total: number
}

export async function findMonitoredSites(pool: Pool, query: MonitoredSitesQuery, now: Date): Promise<SitesPage> {
  const { limit, starting_after, ending_before, ...filters } = query
  const page = await readPage(pool, 'sites', siteList(filters, now), { limit, starting_after, ending_before })
  return JSON.parse(page) as SitesPage
}

type HealthCounts = ResponseOf<typeof monitoring.listMonitoredSites>['counts']

const countsText = `select coalesce(sum(sites), 0)::bigint as all,
    coalesce(sum(sites) filter (where health_status = 'healthy'), 0)::bigint as healthy,
    coalesce(sum(sites) filter (where health_status = 'degraded'), 0)::bigint as degraded,
    coalesce(sum(sites) filter (where health_status = 'down'), 0)::bigint as down,
    coalesce(sum(sites) filter (where health_status = 'unknown'), 0)::bigint as unknown
  from site_counts`

export async function countSites(pool: Pool): Promise<HealthCounts> {
  const [counts] = await runStatement<HealthCounts>(pool, { text: countsText, values: [], prepare: true })
  if (!counts) throw new Error('An aggregate answers one row')
  return counts
}

export type WorstSite = {
  id: string
  name: string
  domain: string
  health: MonitoredSite['health']
  responseMs: number | null
  activeAlerts: number
}

/** So many of the worst, along the index. */
export function findWorstSites(pool: Pool, count: number): Promise<WorstSite[]> {
  const text = `select s.id, s.site_name as name, s.domain, s.health_status as health, s.response_ms as "responseMs",
    ${activeAlerts} as "activeAlerts"
    from sites s where s.deleted_at is null order by ${healthOrder}, s.id limit $1`
  return runStatement<WorstSite>(pool, { text, values: [count], prepare: true })
}
