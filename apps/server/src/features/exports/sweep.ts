import { inTransaction, type RequestContext } from '../../context.ts'
import { recordAudit } from '../../platform/audit.ts'
import { idsOfFiles, removeFiles } from './files.ts'
import { type Kinds, makeExport } from './make-export.ts'
import { findExpired, findKept, findLeft, forgetBefore, patchExport } from './queries/exports.ts'

const rememberedMs = 30 * 86_400_000
const unbegunMs = 60_000

/** Takes away what has had its day, then goes on with what an ended process left. */
export async function sweep(ctx: RequestContext, kinds: Kinds, stop: AbortSignal): Promise<void> {
  await expire(ctx)
  await forgetBefore(ctx, new Date(ctx.clock() - rememberedMs))
  await removeStrays(ctx)
  for (const { id } of await findLeft(ctx, new Date(ctx.clock() - unbegunMs))) {
    if (stop.aborted) return
    await makeExport(ctx, kinds, id, stop)
  }
}

async function expire(ctx: RequestContext): Promise<void> {
  for (const { id, kind, title, format } of await findExpired(ctx, new Date(ctx.clock()))) {
    await inTransaction(ctx, async (tx) => {
      if (!(await patchExport(tx, id, ['ready'], { state: 'expired' }))) return
      await recordAudit(tx, { action: 'export.expire', resource: 'export', id, after: { kind, title, format } })
    })
    await removeFiles(ctx, id)
  }
}

/** Files whose export was cancelled, failed or ran out while another process, or none, had them. */
async function removeStrays(ctx: RequestContext): Promise<void> {
  const ids = await idsOfFiles(ctx)
  const kept = await findKept(ctx, ids)
  for (const id of ids) if (!kept.has(id)) await removeFiles(ctx, id)
}
