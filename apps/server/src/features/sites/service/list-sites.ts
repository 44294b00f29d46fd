import type { RequestContext } from '../../../context.ts'
import { type RawJson, rawJson } from '../../../platform/http/routes.ts'
import { findSites, findSummary, type SitesQuery } from '../queries/list.ts'

export async function listSites({ pool }: RequestContext, query: SitesQuery): Promise<RawJson> {
  const [page, summary] = await Promise.all([findSites(pool, query), findSummary(pool)])
  return rawJson(`${page.slice(0, -1)},"summary":${JSON.stringify(summary)}}`)
}
