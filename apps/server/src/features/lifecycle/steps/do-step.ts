import type { RequestContext } from '../../../context.ts'
import { recordAudit } from '../../../platform/audit.ts'
import { patchState } from '../../customer-states/index.ts'
import { queueMail } from '../../mail/index.ts'
import { lockMirror } from '../../mirror/index.ts'
import { notify } from '../../notifications/index.ts'
import type { Kind, Options } from '../plan.ts'
import { restorableMs } from '../preview.ts'
import type { RunRow, StepRow } from '../queries/runs.ts'
import { findCustomer } from '../queries/situation.ts'
import { noticeOf } from '../words.ts'
import { deleteAtStripe } from './delete-at-stripe.ts'
import { eraseCustomer } from './erase.ts'
import type { Outcome } from './outcome.ts'
import { setPause } from './set-pause.ts'
import { changeSites } from './sites.ts'

/** Each may be done again after a process ended in the middle of it, and then changes nothing twice. */
export async function doStep(ctx: RequestContext, run: RunRow, step: StepRow): Promise<Outcome> {
  switch (step.kind) {
    case 'record':
      return recordState(run, step)
    case 'pause':
    case 'resume':
      return setPause(ctx, run, step)
    case 'delete_at_stripe':
      return deleteAtStripe(ctx, run, step)
    case 'sites':
      return changeSites(ctx, run, step)
    case 'mail':
      return writeNotice(ctx, run)
    case 'erase':
      return eraseCustomer(run)
    default:
      throw new Error(`There is no step ${step.kind}`)
  }
}

const startedBy = (run: RunRow) => ({ run_id: run.id, started_by: run.actor_name })

function recordState(run: RunRow, step: StepRow): Outcome {
  const options = run.options as Options
  return {
    state: 'done',
    async record(tx) {
      await lockMirror(tx.db)
      const now = new Date(tx.clock())
      if (options.kind === 'suspend') {
        const { awaited } = step.payload as { awaited: string[] }
        await patchState(tx.db, run.customer_id, {
          ...{ suspended_at: now, suspension_reason: options.reason, suspension_note: options.note },
          ...{ suspended_by: run.actor_name, suspension_run_id: run.id, awaited_invoices: awaited },
        })
      } else if (options.kind === 'unsuspend') {
        await patchState(tx.db, run.customer_id, {
          ...{ suspended_at: null, suspension_reason: null, suspension_note: null, suspended_by: null },
          ...{ suspension_run_id: null, awaited_invoices: [] },
        })
        if (run.actor_type === 'job') await tellLifted(tx, run)
      } else {
        const eraseAt = new Date(now.getTime() + restorableMs)
        await patchState(tx.db, run.customer_id, { deleted_at: now, deleted_by: run.actor_name, erase_at: eraseAt })
      }
      const { kind, ...chosen } = options
      const after = { state: 'done', ...startedBy(run), ...chosen }
      await recordAudit(tx, { action: `customer.${kind}`, resource: 'customer', id: run.customer_id, after })
    },
  }
}

async function tellLifted(tx: Parameters<NonNullable<Outcome['record']>>[0], run: RunRow): Promise<void> {
  const customer = await findCustomer(tx.db, run.customer_id)
  await notify(tx, {
    dedupeKey: `customer.unsuspended:${run.id}`,
    type: 'customer.unsuspended',
    severity: 'success',
    permission: 'customers.read',
    title: `The suspension of ${customer?.name ?? customer?.email ?? run.customer_id} was lifted`,
    body: 'The overdue invoices were paid.',
    link: `/admin/customers?open=${encodeURIComponent(run.customer_id)}`,
  })
}

async function writeNotice(ctx: RequestContext, run: RunRow): Promise<Outcome> {
  const customer = await findCustomer(ctx.db, run.customer_id)
  const address = customer?.email ?? null
  if (!customer || address === null) return { state: 'skipped', note: 'The customer has no email' }
  const notice = noticeOf(run.kind as Kind, ctx.config.settings.companyName, customer.name)
  const isSent = ctx.config.smtpUrl !== undefined
  return {
    state: 'done',
    note: isSent ? `To ${address}` : `To ${address}; there is no mail server, so the outbox keeps it`,
    async record(tx) {
      const kind = `customer.${run.kind}:${run.customer_id}`
      await queueMail(tx, { kind, to: { address, name: customer.name }, ...notice })
    },
  }
}
