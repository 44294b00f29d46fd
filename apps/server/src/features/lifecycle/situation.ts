import type { RequestContext } from '../../context.ts'
import { notFound } from '../../platform/errors.ts'
import { findState } from '../customer-states/index.ts'
import { sitesToResume, sitesToSuspend } from '../sites/index.ts'
import type { Situation } from './plan.ts'
import { findPaused } from './queries/runs.ts'
import { findCustomer, findLive, findOpenInvoices } from './queries/situation.ts'

/** What a plan is made of, as the mirror and our own tables have it now. */
export async function situationOf(ctx: Pick<RequestContext, 'db' | 'clock'>, id: string): Promise<Situation> {
  const customer = await findCustomer(ctx.db, id)
  if (!customer) throw notFound(`Customer ${id}`)
  const state = await findState(ctx.db, id)
  const run = state?.suspension_run_id ?? null
  return {
    customer,
    state,
    subscriptions: await findLive(ctx.db, id),
    openInvoices: await findOpenInvoices(ctx.db, id, new Date(ctx.clock())),
    paused: run === null ? new Map() : await findPaused(ctx.db, run),
    liveSites: await sitesToSuspend(ctx, id),
    takenSites: await sitesToResume(ctx, id),
  }
}
