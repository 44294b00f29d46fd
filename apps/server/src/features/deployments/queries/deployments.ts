import type { deployments } from '@agency/contract'
import type { QueryOf } from '@agency/contract/endpoint'
import type { Deployment, DeploymentCounts, DeploymentDetails } from '@agency/contract/types'
import type { Pool } from 'pg'
import { type List, readPage } from '../../../platform/keyset.ts'
import { literal, runStatement, Values } from '../../../platform/statements.ts'
import { searchTerm } from '../../billing/index.ts'
import { deploymentColumns, deploymentJoins, servedNow } from './columns.ts'

type DeploymentsQuery = QueryOf<typeof deployments.listDeployments>

/** The expression of its index. */
export const deploymentWords = `search_fold(d.id || E'\\n' || coalesce(d.version, '') || E'\\n' || coalesce(d.commit_hash, '') || E'\\n' ||
    coalesce(d.commit_message, '') || E'\\n' || coalesce(d.branch, ''))`

function conditions(query: DeploymentsQuery, values: Values): string[] {
  const where: string[] = []
  const statuses = (query.status ?? []).filter((status) => status !== 'all')
  if (statuses.length > 0) where.push(`d.status in (${statuses.map(literal).join(', ')})`)
  if (query.site !== undefined) where.push(`d.site_id = ${values.add(query.site)}`)
  if (query.customer !== undefined)
    where.push(`d.site_id in (select id from sites where customer_id = ${values.add(query.customer)})`)
  const term = searchTerm(values, query.search)
  if (term)
    where.push(
      `(d.site_id = any (array(select id from sites where doc like ${term.pattern})) or ${deploymentWords} like ${term.pattern})`,
    )
  return where
}

const zeros = `'queued', 0, 'building', 0, 'deploying', 0, 'success', 0, 'failed', 0, 'cancelled', 0`

/** From the counters: of one site, or of all. */
async function findCounts(pool: Pool, site: string | undefined): Promise<DeploymentCounts> {
  const from = site === undefined ? 'deployment_totals' : 'deployment_counts where site_id = $1'
  const text = `select jsonb_build_object(${zeros}, 'all', coalesce(sum(deployments), 0))
    || coalesce(jsonb_object_agg(status, deployments) filter (where status is not null), '{}') as counts from ${from}`
  const values = site === undefined ? [] : [site.replaceAll('\0', '\ufffd')]
  const [row] = await runStatement<{ counts: DeploymentCounts }>(pool, { text, values, prepare: true })
  if (!row) throw new Error('An aggregate answers one row')
  return row.counts
}

function totalOf({ status, search, customer }: DeploymentsQuery, counts: DeploymentCounts): number | null {
  if (search || customer !== undefined) return null
  if (status === undefined || status.length === 0 || status.includes('all')) return counts.all
  return [...new Set(status)].reduce((sum, one) => sum + counts[one], 0)
}

/** As JSON that the database made. */
export async function findDeployments(pool: Pool, query: DeploymentsQuery): Promise<string> {
  const values = new Values()
  const list: List = {
    table: 'deployments',
    alias: 'd',
    order: { from: 'deployments d', key: 'd.queued_at', id: 'd.id', isWhole: true },
    isDescending: true,
    where: conditions(query, values),
    columns: deploymentColumns,
    joins: deploymentJoins,
    total: null,
    values,
    isPrepared: !query.search,
  }
  const [page, counts] = await Promise.all([readPage(pool, 'deployments', list, query), findCounts(pool, query.site)])
  const rows = page.slice(0, page.lastIndexOf(',"total":'))
  return `${rows},"total":${totalOf(query, counts)},"counts":${JSON.stringify(counts)}}`
}

const shownLines = 100

const detailsText = `select row_to_json(x)::text as deployment from (
  select ${deploymentColumns}, d.stages, d.environment_note, d.served, d.is_log_complete, d.lane,
    coalesce((
      select json_agg(l.text order by l.number) from (
        select number, text from deployment_log_lines where deployment_id = d.id order by number desc limit ${shownLines}
      ) l
    ), '[]') as logs
  from deployments d ${deploymentJoins} where d.id = $1
) x`

export type DetailsRecord = Omit<DeploymentDetails, 'provider_page'> & { lane: string }

export async function findDetails(pool: Pool, id: string): Promise<DetailsRecord | undefined> {
  const values = [id.replaceAll('\0', '\ufffd')]
  const [row] = await runStatement<{ deployment: string }>(pool, { text: detailsText, values, prepare: true })
  return row && (JSON.parse(row.deployment) as DetailsRecord)
}

const servedText = `select row_to_json(x)::text as deployment from (
  select ${deploymentColumns} from (
    select d.* from deployments d where d.id = (select ${servedNow} from (select $1::text as site_id) d)
  ) d ${deploymentJoins}
) x`

/** What the site serves as far as the console knows. */
export async function findServed(pool: Pool, siteId: string): Promise<Deployment | null> {
  const [row] = await runStatement<{ deployment: string }>(pool, { text: servedText, values: [siteId] })
  return row ? (JSON.parse(row.deployment) as Deployment) : null
}
