import type { sites } from '@agency/contract'
import type { QueryOf } from '@agency/contract/endpoint'
import type { SiteSummary } from '@agency/contract/types'
import type { Pool } from 'pg'
import type { ParametersOf } from '../../../platform/export-kind.ts'
import { type List, readPage } from '../../../platform/keyset.ts'
import { literal, runStatement, Values } from '../../../platform/statements.ts'
import { searchTerm } from '../../billing/index.ts'
import { siteColumns } from './columns.ts'

export type SitesQuery = QueryOf<typeof sites.listSites>
export type SiteFilters = ParametersOf<'sites'>

type Sort = NonNullable<SiteFilters['sort']>

/** The expressions of the indexes: what was never measured comes before the smallest figure. */
const sortKeys: Record<Exclude<Sort, `-${string}`>, string> = {
  created_at: 's.created_at',
  site_name: 's.sort_name',
  customer_name: `lower(coalesce(s.customer_name, ''))`,
  performance_score: 'coalesce(s.performance_score, -1)',
  storage_used: 'coalesce(s.storage_used, -1)',
  last_deployment: `coalesce(s.last_deployment, '-infinity')`,
}

const isChosen = (value: string | undefined): value is string => value !== undefined && value !== 'all'

/** Those that the counters can answer too. */
function kindConditions({ status, health, ssl }: SiteFilters): string[] {
  const where: string[] = []
  if (isChosen(status)) where.push(`status = ${literal(status)}`)
  if (isChosen(health)) where.push(`health_status = ${literal(health)}`)
  if (isChosen(ssl)) where.push(ssl === 'issues' ? `ssl_status <> 'active'` : `ssl_status = ${literal(ssl)}`)
  return where
}

function totalOf(filters: SiteFilters): string | null {
  if (filters.search || filters.customer_id !== undefined) return null
  const where = kindConditions(filters)
  return `(select coalesce(sum(sites), 0)::bigint from site_counts ${where.length > 0 ? `where ${where.join(' and ')}` : ''})`
}

export function siteList(filters: SiteFilters): List {
  const values = new Values()
  const sort = filters.sort ?? '-created_at'
  const where = ['s.deleted_at is null', ...kindConditions(filters).map((condition) => `s.${condition}`)]
  if (filters.customer_id !== undefined) where.push(`s.customer_id = ${values.add(filters.customer_id)}`)
  const term = searchTerm(values, filters.search)
  if (term) where.push(`s.doc like ${term.pattern}`)
  const key = sortKeys[sort.replace('-', '') as keyof typeof sortKeys]
  return {
    table: 'sites',
    alias: 's',
    order: { from: 'sites s', key, id: 's.id', isWhole: true },
    isDescending: sort.startsWith('-'),
    where,
    columns: siteColumns,
    joins: '',
    total: totalOf(filters),
    values,
    isPrepared: term === undefined && filters.customer_id === undefined,
  }
}

export function findSites(pool: Pool, query: SitesQuery): Promise<string> {
  const { limit, starting_after, ending_before, ...filters } = query
  return readPage(pool, 'sites', siteList(filters), { limit, starting_after, ending_before })
}

const summaryText = `select coalesce(sum(sites), 0)::bigint as total,
    coalesce(sum(sites) filter (where status = 'active'), 0)::bigint as active,
    coalesce(sum(sites) filter (where health_status = 'healthy'), 0)::bigint as healthy,
    coalesce(sum(sites) filter (where ssl_status <> 'active'), 0)::bigint as ssl_issues
  from site_counts`

export async function findSummary(pool: Pool): Promise<SiteSummary> {
  const [summary] = await runStatement<SiteSummary>(pool, { text: summaryText, values: [], prepare: true })
  return summary ?? { total: 0, active: 0, healthy: 0, ssl_issues: 0 }
}
