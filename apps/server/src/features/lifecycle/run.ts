import type { TransactionContext } from '../../context.ts'
import { recordAudit } from '../../platform/audit.ts'
import { durableRun } from '../../platform/runs/durable-run.ts'
import type { RunRow, StepRow } from '../../platform/runs/queries.ts'
import { notify } from '../notifications/index.ts'
import { runName } from './job-settings.ts'
import type { Kind } from './plan.ts'
import { findCustomer } from './queries/situation.ts'
import { deleteAtStripe } from './steps/delete-at-stripe.ts'
import { eraseCustomer } from './steps/erase.ts'
import { judge } from './steps/failure.ts'
import { writeNotice } from './steps/notice.ts'
import { recordState } from './steps/record.ts'
import { setPause } from './steps/set-pause.ts'
import { changeSites } from './steps/sites.ts'
import { stepTitle } from './words.ts'

/** Suspending, lifting that, deleting and erasing: what `plan.ts` plans. */
export const lifecycleRun = durableRun({
  name: runName,
  steps: {
    record: recordState,
    pause: setPause,
    resume: setPause,
    sites: changeSites,
    mail: writeNotice,
    delete_at_stripe: deleteAtStripe,
    erase: eraseCustomer,
  },
  topics: ['lifecycle', 'customers'],
  // It pauses, resumes and cancels what customers pay for.
  guard: 'money',
  judge,
  // About an hour; then somebody has to look.
  mostTries: 12,
  failed: tellFailed,
})

const failures: Record<Kind, (customer: string) => string> = {
  suspend: (customer) => `${customer} could not be suspended completely`,
  unsuspend: (customer) => `The suspension of ${customer} could not be lifted completely`,
  delete: (customer) => `${customer} could not be deleted completely`,
  erase: (customer) => `${customer} could not be erased completely`,
}

async function tellFailed(tx: TransactionContext, run: RunRow, step: StepRow, reason: string): Promise<void> {
  const kind = run.kind as Kind
  const customer = await findCustomer(tx.db, run.subject)
  await recordAudit(tx, {
    action: `customer.${kind}`,
    resource: 'customer',
    id: run.subject,
    outcome: 'failed',
    after: { state: 'failed', run_id: run.id, started_by: run.actor_name, step: step.name, reason },
  })
  await notify(tx, {
    customerIds: [run.subject],
    dedupeKey: `lifecycle.failed:${run.id}:${step.position}:${step.attempts}`,
    type: 'lifecycle.failed',
    severity: 'error',
    permission: 'customers.read',
    title: failures[kind](customer?.name ?? customer?.email ?? run.subject),
    body: `${stepTitle(kind, step)}: ${reason}. Finished steps are kept. You can try again.`,
    link: `/admin/customers?open=${encodeURIComponent(run.subject)}`,
  })
}
