import type { getLifecycle as contract } from '@agency/contract/customer-lifecycle'
import type { ResponseOf } from '@agency/contract/endpoint'
import type { LifecycleRun, SuspensionReason } from '@agency/contract/types'
import type { RequestContext } from '../../../context.ts'
import { notFound } from '../../../platform/errors.ts'
import { findRun, findRuns } from '../../../platform/runs/queries.ts'
import { type CustomerState, findState } from '../../customer-states/index.ts'
import { runName } from '../job-settings.ts'
import { findCustomer } from '../queries/situation.ts'
import { toRun } from '../shown.ts'

type Answer = ResponseOf<typeof contract>

const shownRuns = 10

const suspensionOf = (state: CustomerState | undefined): Answer['suspension'] =>
  state?.suspended_at
    ? {
        at: state.suspended_at.toISOString(),
        reason: state.suspension_reason as SuspensionReason,
        note: state.suspension_note,
        by: state.suspended_by ?? '',
        awaited_invoices: state.awaited_invoices,
      }
    : null

const deletionOf = (state: CustomerState | undefined): Answer['deletion'] =>
  state?.deleted_at
    ? {
        at: state.deleted_at.toISOString(),
        by: state.deleted_by ?? '',
        erase_at: state.erase_at?.toISOString() ?? null,
        erased_at: state.erased_at?.toISOString() ?? null,
      }
    : null

export async function getLifecycle(ctx: RequestContext, id: string): Promise<Answer> {
  if (!(await findCustomer(ctx.db, id))) throw notFound(`Customer ${id}`)
  const state = await findState(ctx.db, id)
  const runs = await findRuns(ctx.db, runName, id, shownRuns)
  return { suspension: suspensionOf(state), deletion: deletionOf(state), runs: runs.map(toRun) }
}

export async function answerRun(ctx: RequestContext, id: string): Promise<{ run: LifecycleRun }> {
  const run = await findRun(ctx.db, id)
  if (run?.name !== runName) throw notFound(`Run ${id}`)
  return { run: toRun(run) }
}
