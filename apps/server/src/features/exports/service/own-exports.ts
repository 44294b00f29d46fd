import type { exports as contract } from '@agency/contract'
import type { QueryOf } from '@agency/contract/endpoint'
import type { Exported } from '@agency/contract/exports'
import { inTransaction, type RequestContext } from '../../../context.ts'
import { recordAudit } from '../../../platform/audit.ts'
import { AppError, notFound } from '../../../platform/errors.ts'
import { type RawJson, rawJson } from '../../../platform/http/routes.ts'
import { type ExportRow, findExport, findPage, findShown, openStates, patchExport } from '../queries/exports.ts'

const seesAll = ({ actor }: RequestContext): boolean => actor.permissions.has('admin.system')

const isOwn = ({ actor }: RequestContext, row: ExportRow): boolean =>
  row.maker_type === actor.type && row.maker_id === actor.id

export const listExports = async (ctx: RequestContext, query: QueryOf<typeof contract.listExports>): Promise<RawJson> =>
  rawJson(await findPage(ctx.pool, seesAll(ctx) ? undefined : ctx.actor, query))

/** To everybody else there is no such export. */
export async function getOwn(ctx: RequestContext, id: string): Promise<ExportRow> {
  const row = await findExport(ctx, id)
  if (!row || !(isOwn(ctx, row) || seesAll(ctx))) throw notFound(`Export ${id}`)
  return row
}

export async function getShown(ctx: RequestContext, id: string): Promise<Exported> {
  await getOwn(ctx, id)
  return JSON.parse((await findShown(ctx, id)) ?? 'null')
}

export async function cancelExport(ctx: RequestContext, id: string): Promise<Exported> {
  const { kind, title, format, state } = await getOwn(ctx, id)
  if (state !== 'cancelled') {
    const isCancelled = await inTransaction(ctx, async (tx) => {
      const change = { state: 'cancelled', finished_at: new Date(tx.clock()) }
      if (!(await patchExport(tx, id, openStates, change))) return false
      await recordAudit(tx, { action: 'export.cancel', resource: 'export', id, after: { kind, title, format } })
      return true
    })
    if (!isCancelled) throw new AppError('conflict', 'This export has already ended')
  }
  return getShown(ctx, id)
}
