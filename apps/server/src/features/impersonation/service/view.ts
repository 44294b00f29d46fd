import type { ImpersonationPage } from '@agency/contract/impersonation'
import type { ViewedAccount, ViewedSite } from '@agency/contract/types'
import type { RequestContext } from '../../../context.ts'
import { AppError, notFound } from '../../../platform/errors.ts'
import type { PageQuery } from '../../../platform/keyset.ts'
import { findAccount, findInvoices, findPayments, findSites, findSubscriptions } from '../queries/customer-view.ts'
import { findImpersonation, notePage } from '../queries/impersonations.ts'
import { settleEnded } from './settle.ts'

/** Whose account may be looked at in this view, now and by this session; notes which part of it is. */
async function enter(ctx: RequestContext, id: string, page: ImpersonationPage): Promise<string> {
  await settleEnded(ctx)
  const row = await findImpersonation(ctx.db, id)
  if (row?.way !== 'view') throw notFound(`View ${id}`)
  if (row.session_id !== ctx.actor.sessionId) throw new AppError('conflict', 'This view belongs to another session')
  if (row.state !== 'live') throw new AppError('conflict', 'This view has ended. Start a new one.')
  await notePage(ctx.db, id, page, new Date(ctx.clock()))
  return row.customer_id
}

export async function viewAccount(ctx: RequestContext, id: string): Promise<ViewedAccount> {
  const customerId = await enter(ctx, id, 'account')
  const account = await findAccount(ctx.pool, customerId)
  if (!account) throw notFound(`Customer ${customerId}`)
  return account
}

export const viewSubscriptions = async (ctx: RequestContext, id: string): ReturnType<typeof findSubscriptions> =>
  findSubscriptions(ctx.pool, await enter(ctx, id, 'subscriptions'))

export const viewInvoices = async (ctx: RequestContext, id: string, page: PageQuery): Promise<string> =>
  findInvoices(ctx.pool, await enter(ctx, id, 'invoices'), page)

export const viewPayments = async (ctx: RequestContext, id: string, page: PageQuery): Promise<string> =>
  findPayments(ctx.pool, await enter(ctx, id, 'payments'), page)

export const viewSites = async (ctx: RequestContext, id: string): Promise<ViewedSite[]> =>
  findSites(ctx.pool, await enter(ctx, id, 'sites'))
