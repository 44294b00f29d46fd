import type { AppContext } from '../../context.ts'
import { findSitesSeen, uptimesOf } from '../monitoring/index.ts'
import { writeFiles } from './files.ts'
import { findShownIncidents, findShownPages, findShownSites, type ShownPage, type ShownSite } from './queries/shown.ts'
import { type PublicIncident, type PublicSite, type PublicState, renderPage } from './render.ts'

function stateOf({ health, in_maintenance, is_false }: ShownSite): PublicState {
  if (in_maintenance) return 'maintenance'
  if (is_false) return 'unknown'
  return health === 'healthy' ? 'up' : health
}

type World = {
  now: number
  sites: readonly ShownSite[]
  seen: Awaited<ReturnType<typeof findSitesSeen>>
  incidents: Awaited<ReturnType<typeof findShownIncidents>>
}

function publicOf(page: ShownPage, { now, sites, seen, incidents }: World): string {
  const own = sites.filter(({ page_id }) => page_id === page.id)
  const labels = new Map(own.map(({ site_id, label }) => [site_id, label]))
  const shown = own.map((site): PublicSite => {
    const { days, uptime } = uptimesOf(seen.get(site.site_id), now)
    return { label: site.label, state: stateOf(site), days, uptime: uptime.quarter }
  })
  const about = incidents.flatMap(({ opened_at, site_ids, updates }): PublicIncident[] => {
    const affected = site_ids.flatMap((id) => labels.get(id) ?? [])
    return affected.length > 0 ? [{ opened_at, labels: affected.sort(), updates }] : []
  })
  return renderPage({ title: page.title, at: new Date(now), sites: shown, incidents: about })
}

/** Writes every page that is on as a file, so that they are served whatever becomes of the database. */
export async function writeStatusPages(ctx: Pick<AppContext, 'db' | 'clock' | 'config'>): Promise<void> {
  const now = ctx.clock()
  const pages = await findShownPages(ctx)
  const [sites, incidents] =
    pages.length === 0 ? [[], []] : await Promise.all([findShownSites(ctx, new Date(now)), findShownIncidents(ctx)])
  const seen = await findSitesSeen(ctx, [...new Set(sites.map(({ site_id }) => site_id))], now)
  const world = { now, sites, seen, incidents }
  await writeFiles(ctx.config, new Map(pages.map((page) => [page.slug, publicOf(page, world)])))
}
