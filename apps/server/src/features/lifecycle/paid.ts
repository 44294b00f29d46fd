import type { RequestContext } from '../../context.ts'
import { once } from '../../platform/idempotency-keys.ts'
import { findRun } from '../../platform/runs/queries.ts'
import { findState } from '../customer-states/index.ts'
import type { Options } from './plan.ts'
import { findInvoiceStates } from './queries/situation.ts'
import { startRun } from './start.ts'

/** All of them are settled, and at least one was paid. */
const isPaidUp = (states: readonly string[], awaited: number): boolean =>
  states.length === awaited && states.includes('paid') && states.every((state) => state === 'paid' || state === 'void')

/** Lifts a suspension for non-payment once what was overdue is paid. */
export async function liftIfPaid(ctx: RequestContext, customerId: string): Promise<void> {
  const state = await findState(ctx.db, customerId)
  if (state?.suspension_reason !== 'non_payment' || state.awaited_invoices.length === 0) return
  const states = await findInvoiceStates(ctx.db, state.awaited_invoices)
  if (!isPaidUp(states, state.awaited_invoices.length)) return
  const suspension = state.suspension_run_id === null ? undefined : await findRun(ctx.db, state.suspension_run_id)
  const told = suspension?.options as Options | undefined
  const notice = told?.kind === 'suspend' && told.notice
  // Of two that notice it at once, one starts.
  const key = `paid-${state.suspension_run_id ?? customerId}`
  const asked = { key, caller: 'console', request: `lift the suspension of ${customerId}`, body: { notice } }
  await once(ctx, asked, {
    handle: (claim) => startRun(ctx, { customerId, options: { kind: 'unsuspend', notice }, claim }),
    replay: (run) => run,
  })
}
