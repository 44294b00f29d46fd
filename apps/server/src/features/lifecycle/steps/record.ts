import type { RequestContext, TransactionContext } from '../../../context.ts'
import { recordAudit } from '../../../platform/audit.ts'
import type { Outcome } from '../../../platform/runs/durable-run.ts'
import type { RunRow, StepRow } from '../../../platform/runs/queries.ts'
import { patchState } from '../../customer-states/index.ts'
import { lockMirror } from '../../mirror/index.ts'
import { notify } from '../../notifications/index.ts'
import type { Options } from '../plan.ts'
import { restorableMs } from '../preview.ts'
import { findCustomer } from '../queries/situation.ts'

const startedBy = (run: RunRow) => ({ run_id: run.id, started_by: run.actor_name })

export function recordState(_ctx: RequestContext, run: RunRow, step: StepRow): Outcome {
  const options = run.options as Options
  return {
    state: 'done',
    async record(tx) {
      await lockMirror(tx.db)
      const now = new Date(tx.clock())
      if (options.kind === 'suspend') {
        const { awaited } = step.payload as { awaited: string[] }
        await patchState(tx.db, run.subject, {
          ...{ suspended_at: now, suspension_reason: options.reason, suspension_note: options.note },
          ...{ suspended_by: run.actor_name, suspension_run_id: run.id, awaited_invoices: awaited },
        })
      } else if (options.kind === 'unsuspend') {
        await patchState(tx.db, run.subject, {
          ...{ suspended_at: null, suspension_reason: null, suspension_note: null, suspended_by: null },
          ...{ suspension_run_id: null, awaited_invoices: [] },
        })
        if (run.actor_type === 'job') await tellLifted(tx, run)
      } else {
        const eraseAt = new Date(now.getTime() + restorableMs)
        await patchState(tx.db, run.subject, { deleted_at: now, deleted_by: run.actor_name, erase_at: eraseAt })
      }
      const { kind, ...chosen } = options
      const after = { state: 'done', ...startedBy(run), ...chosen }
      await recordAudit(tx, { action: `customer.${kind}`, resource: 'customer', id: run.subject, after })
    },
  }
}

async function tellLifted(tx: TransactionContext, run: RunRow): Promise<void> {
  const customer = await findCustomer(tx.db, run.subject)
  await notify(tx, {
    customerIds: [run.subject],
    dedupeKey: `customer.unsuspended:${run.id}`,
    type: 'customer.unsuspended',
    severity: 'success',
    permission: 'customers.read',
    title: `The suspension of ${customer?.name ?? customer?.email ?? run.subject} was lifted`,
    body: 'The overdue invoices are paid.',
    link: `/admin/customers?open=${encodeURIComponent(run.subject)}`,
  })
}
