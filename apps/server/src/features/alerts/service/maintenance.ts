import { randomUUID } from 'node:crypto'
import type { createMaintenance, MaintenanceWindow } from '@agency/contract/alerts'
import type { BodyOf } from '@agency/contract/endpoint'
import { inTransaction, type RequestContext } from '../../../context.ts'
import { recordAudit } from '../../../platform/audit.ts'
import { AppError, invalidParameter, notFound } from '../../../platform/errors.ts'
import {
  deleteWindow,
  endWindow,
  findSites,
  findWindow,
  findWindows,
  insertWindow,
  type WindowRow,
} from '../queries/maintenance.ts'

const longestMs = 30 * 86_400_000

function stateOf({ starts_at, ends_at }: WindowRow, now: number): MaintenanceWindow['state'] {
  if (ends_at.getTime() <= now) return 'over'
  return starts_at.getTime() <= now ? 'running' : 'planned'
}

const shown = (row: WindowRow, now: number): MaintenanceWindow => ({
  ...{ id: row.id, title: row.title, sites: row.sites, silences: row.silences, excludes_uptime: row.excludes_uptime },
  ...{ starts_at: row.starts_at.toISOString(), ends_at: row.ends_at.toISOString(), created_by: row.created_by },
  state: stateOf(row, now),
})

const rank = { running: 0, planned: 1, over: 2 } as const

export async function listWindows(ctx: RequestContext): Promise<MaintenanceWindow[]> {
  const windows = (await findWindows(ctx)).map((row) => shown(row, ctx.clock()))
  return windows.sort(
    (a, b) => rank[a.state] - rank[b.state] || (a.state === 'over' ? -1 : 1) * a.starts_at.localeCompare(b.starts_at),
  )
}

function checkTimes(ctx: RequestContext, body: BodyOf<typeof createMaintenance>): void {
  const [start, end] = [Date.parse(body.starts_at), Date.parse(body.ends_at)]
  if (end <= start) throw invalidParameter('ends_at', 'must be after the start')
  if (end <= ctx.clock()) throw invalidParameter('ends_at', 'must be in the future')
  if (end - start > longestMs) throw invalidParameter('ends_at', 'must be at most 30 days after the start')
}

export async function planMaintenance(
  ctx: RequestContext,
  body: BodyOf<typeof createMaintenance>,
): Promise<MaintenanceWindow> {
  checkTimes(ctx, body)
  const id = `maintenance_${randomUUID()}`
  const siteIds = [...new Set(body.site_ids)]
  await inTransaction(ctx, async (tx) => {
    const sites = await findSites(tx, siteIds)
    if (sites.length < siteIds.length) throw invalidParameter('site_ids', 'names a site that does not exist')
    await insertWindow(tx, { id, ...body, site_ids: siteIds, created_by: ctx.actor.name })
    await recordAudit(tx, {
      ...{ action: 'maintenance.create', resource: 'maintenance', id },
      after: {
        ...{ title: body.title, starts_at: body.starts_at, ends_at: body.ends_at },
        ...{ silences: body.silences, excludes_uptime: body.excludes_uptime },
        sites: siteIds.length === 0 ? 'all' : sites.map(({ site_name }) => site_name),
      },
    })
  })
  const row = await findWindow(ctx, id)
  if (!row) throw notFound(`Maintenance ${id}`)
  return shown(row, ctx.clock())
}

/** One that has not begun is taken away; what was maintenance stays so. */
export async function endMaintenance(ctx: RequestContext, id: string): Promise<{ ended: true }> {
  await inTransaction(ctx, async (tx) => {
    const row = await findWindow(tx, id)
    if (!row) throw notFound(`Maintenance ${id}`)
    const now = tx.clock()
    const state = stateOf(row, now)
    if (state === 'over') throw new AppError('conflict', 'This maintenance has already ended. Nothing was changed.')
    if (state === 'planned') await deleteWindow(tx, id)
    else await endWindow(tx, id, new Date(now))
    await recordAudit(tx, {
      ...{ action: state === 'planned' ? 'maintenance.cancel' : 'maintenance.end', resource: 'maintenance', id },
      before: { title: row.title, starts_at: row.starts_at.toISOString(), ends_at: row.ends_at.toISOString() },
    })
  })
  return { ended: true }
}
