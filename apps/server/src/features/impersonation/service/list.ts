import type { QueryOf, ResponseOf } from '@agency/contract/endpoint'
import type { getCurrentImpersonation, listImpersonations } from '@agency/contract/impersonation'
import type { Impersonation } from '@agency/contract/types'
import type { RequestContext } from '../../../context.ts'
import { findLiveIn } from '../queries/impersonations.ts'
import { findImpersonations } from '../queries/list.ts'
import { shownTo } from './begin.ts'
import { settleEnded } from './settle.ts'

export async function listAll(
  ctx: RequestContext,
  query: QueryOf<typeof listImpersonations>,
): Promise<ResponseOf<typeof listImpersonations>> {
  await settleEnded(ctx)
  return findImpersonations(ctx.pool, query, ctx.actor.sessionId ?? null)
}

export async function getOne(ctx: RequestContext, id: string): Promise<Impersonation> {
  await settleEnded(ctx)
  return shownTo(ctx, id)
}

/** Whoever may not impersonate is in no view. */
export async function getCurrent(ctx: RequestContext): Promise<ResponseOf<typeof getCurrentImpersonation>> {
  const { sessionId } = ctx.actor
  if (sessionId === undefined) return { impersonation: null, remaining_s: null }
  await settleEnded(ctx)
  const row = await findLiveIn(ctx.db, sessionId)
  if (!row?.until) return { impersonation: null, remaining_s: null }
  const remainingMs = row.until.getTime() - ctx.clock()
  return { impersonation: await shownTo(ctx, row.id), remaining_s: Math.max(0, Math.ceil(remainingMs / 1000)) }
}
