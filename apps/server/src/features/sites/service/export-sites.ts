import type { Site } from '@agency/contract/types'
import type { RequestContext } from '../../../context.ts'
import { byteOrderMark, type Cell, csvLine } from '../../../platform/csv.ts'
import { type Piece, sendDownload } from '../../../platform/http/download.ts'
import type { Reply } from '../../../platform/http/routes.ts'
import { readSites } from '../queries/export.ts'
import type { SiteFilters } from '../queries/list.ts'

const columns: [title: string, cell: (site: Site) => Cell][] = [
  ['Site', (site) => site.site_name],
  ['Domain', (site) => site.domain],
  ['Subdomain', (site) => site.subdomain],
  ['Customer', (site) => site.customer_name],
  ['Customer ID', (site) => site.customer_id],
  ['Status', (site) => site.status],
  ['Status Reason', (site) => site.status_reason],
  ['Health', (site) => site.health_status],
  ['Health Checked', (site) => site.health_checked_at],
  ['SSL', (site) => site.ssl_status],
  ['SSL Expires', (site) => site.ssl_expires_at],
  ['Performance Score', (site) => site.performance_score],
  ['Storage (MB)', (site) => site.storage_used],
  ['Bandwidth (GB)', (site) => site.bandwidth_used],
  ['Deployment URL', (site) => site.deployment_url],
  ['Template', (site) => site.template_type],
  ['Last Deployment', (site) => site.last_deployment],
  ['Created', (site) => site.created_at],
  ['Site ID', (site) => site.id],
]

const toLine = (site: Site): string => csvLine(columns.map(([, cell]) => cell(site)))

async function* toCsv(ctx: RequestContext, filters: SiteFilters): AsyncGenerator<Piece> {
  yield { text: byteOrderMark + csvLine(columns.map(([title]) => title)), rows: 0 }
  for await (const sites of readSites(ctx.pool, filters)) yield { text: sites.map(toLine).join(''), rows: sites.length }
}

/** The file with all sites that match. */
export function exportSites(ctx: RequestContext, filters: SiteFilters, reply: Reply) {
  const day = new Date(ctx.clock()).toISOString().slice(0, 10)
  return sendDownload(ctx, reply, {
    fileName: `sites-${day}.csv`,
    contentType: 'text/csv; charset=utf-8',
    pieces: toCsv(ctx, filters),
    audit: { action: 'sites.export', resource: 'sites', after: { filters } },
  })
}
