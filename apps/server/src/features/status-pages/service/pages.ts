import type { statusPages } from '@agency/contract'
import type { BodyOf } from '@agency/contract/endpoint'
import { agencyPage, type StatusPage } from '@agency/contract/status-pages'
import { inTransaction, type RequestContext } from '../../../context.ts'
import { recordAudit } from '../../../platform/audit.ts'
import { AppError, invalidParameter, notFound } from '../../../platform/errors.ts'
import { findAllowed, findPage, isSlugTaken, savePage } from '../queries/pages.ts'

export async function getPage(ctx: Pick<RequestContext, 'db' | 'config'>, id: string): Promise<StatusPage> {
  const page = await findPage(ctx, id)
  if (!page) throw notFound(`Customer ${id}`)
  return page
}

type Body = BodyOf<typeof statusPages.saveStatusPage>

async function checkSlug(tx: Pick<RequestContext, 'db'>, id: string, slug: string | null): Promise<void> {
  if (id === agencyPage) {
    if (slug !== null) throw invalidParameter('slug', 'is not used for the page of the agency')
    return
  }
  if (slug === null) throw invalidParameter('slug', 'is needed')
  if (await isSlugTaken(tx, slug, id)) throw invalidParameter('slug', 'is taken by another page')
}

async function checkSites(tx: Pick<RequestContext, 'db'>, id: string, sites: Body['sites']): Promise<void> {
  const ids = sites.map(({ site_id }) => site_id)
  const known = await findAllowed(tx, id, ids)
  if (new Set(ids).size < ids.length) throw invalidParameter('sites', 'names a site twice')
  if (ids.some((site) => !known.has(site)))
    throw invalidParameter('sites', 'names a site that does not belong to this page')
}

/** For the audit log: what anybody can see of it. */
const toldOf = ({ customer_name, slug, title, is_on, sites }: StatusPage) => ({
  ...{ name: customer_name ?? 'Agency', slug, title, is_on },
  shown: sites.filter(({ is_shown }) => is_shown).map(({ label, domain }) => label ?? domain),
})

export function savePageOf(ctx: RequestContext, id: string, { sites, ...body }: Body): Promise<StatusPage> {
  return inTransaction(ctx, async (tx) => {
    const before = await getPage(tx, id)
    await checkSlug(tx, id, body.slug)
    await checkSites(tx, id, sites)
    const saved = { ...body, id, at: new Date(tx.clock()), by: tx.actor.name }
    if (before.version !== body.version || !(await savePage(tx, saved, sites)))
      throw new AppError('conflict', 'Someone else changed this page. Nothing was saved.', {
        parameter: 'version',
      })
    const after = await getPage(tx, id)
    await recordAudit(tx, {
      ...{ action: 'status_page.save', resource: 'status_page', id },
      ...{ before: toldOf(before), after: toldOf(after) },
    })
    return after
  })
}
